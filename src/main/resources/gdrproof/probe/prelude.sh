# What every probe may use. One complete statement a line, so that the lines can be joined by semicolons for a remote shell. Nothing here writes.
LC_ALL=C; export LC_ALL
PATH=${PATH:-/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/local/cuda/bin:/opt/mellanox/bin:/usr/mpi/gcc/openmpi/bin; export PATH
have() { command -v "$1" >/dev/null 2>&1; }
lacks() { if ! have "$1"; then echo "$1 is not installed"; else case $1 in kubectl|helm) kubectl get --raw /version --request-timeout=10s >/dev/null 2>&1 || echo "no Kubernetes API answers kubectl here";; esac; fi; }
say() { printf '$ %s\n' "$*"; }
show() { say "$*"; "$@" 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo && sudo -n true 2>/dev/null; then sudo -n "$@"; else "$@"; fi; }
show_root() { say "$*"; as_root "$@" 2>&1; }
values() { for f in "$@"; do [ -f "$f" ] && [ -r "$f" ] && grep -sH . "$f"; done; :; }
names() { for d in "$1"/*; do [ -e "$d" ] && printf '%s\n' "${d##*/}"; done; :; }
hcas() { { names /sys/class/infiniband; have ibstat && ibstat -l 2>/dev/null; } | sort -u; }
ib_hcas() { for h in $(hcas); do if [ ! -d "/sys/class/infiniband/$h" ] || grep -qs InfiniBand "/sys/class/infiniband/$h"/ports/*/link_layer; then printf '%s\n' "$h"; fi; done; :; }
rails() { for d in /sys/class/net/*; do [ -e "$d/device" ] && printf '%s\n' "${d##*/}"; done; :; }
listed_pids() { for p in $(printf '%s' "${GDRPROOF_JOB:-}" | tr ',' ' '); do case $p in *[!0-9]*) for f in /proc/[0-9]*/cmdline; do q=${f#/proc/}; q=${q%/cmdline}; [ "$q" = $$ ] || { tr '\0' ' ' <"$f" 2>/dev/null | grep -iv -e gdrproof -e 'collect\.sh' | grep -qF -- "$p" && printf '%s\n' "$q"; }; done;; *) printf '%s\n' "$p";; esac; done; :; }
job_pids() { if [ -n "${GDRPROOF_JOB:-}" ]; then listed_pids; else grep -lsE 'libnccl\.so|libtorch_cuda\.so|librccl\.so' /proc/[0-9]*/maps 2>/dev/null | sed -e 's|^/proc/||' -e 's|/maps$||'; fi | sort -n | head -n 64; }
keep_env() { sed -E -e '/^[A-Za-z_][A-Za-z0-9_]*=/!d' -e '/^(NCCL|RDMAV|IBV|MLX5|UCX|OMPI|PMIX|PMI|FI|OFI|CUDA|NVIDIA|NVSHMEM|TORCH|PYTORCH|GLOO|SHARP|HCOLL|SLURM|RCCL|HSA|MASTER|WORLD|LOCAL|RANK|LD|OMP|KUBERNETES|NODE|POD|HOSTNAME|LWS|JOB|PATH|HOROVOD|MPI|MV2|EFA|OPAL)[A-Z0-9_]*=/b' -e '/^(nccl|rdmav|ibv|mlx5|ucx|ompi|pmix|pmi|fi|ofi|cuda|nvidia|nvshmem|torch|pytorch|gloo|sharp|hcoll|slurm|rccl|hsa|master|world|local|rank|ld|omp|kubernetes|node|pod|hostname|lws|job|path|horovod|mpi|mv2|efa|opal)[a-z0-9_]*=/b' -e 's/=.*/=(not kept)/'; }
each_job() { for p in $(job_pids); do [ -e "/proc/$p/$1" ] || continue; say "cat /proc/$p/$1"; as_root cat "/proc/$p/$1" 2>&1; done; :; }
