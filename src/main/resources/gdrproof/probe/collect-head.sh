# Collects evidence of GPUs, RDMA and the network on this machine for gdrproof. It only reads: nothing is changed, loaded or installed, and secrets are
# taken out before anything is stored. Needs a POSIX sh, sed, grep, head and mktemp; what else is missing is said in the bundle.
#
#   sh collect.sh [-o DIR] [-j PID|NAME] [-n PROBES] [-t SECONDS] [-k] [-- CMD ...]
#     -o DIR      bundle to write, or to go on with (default gdrproof-HOST); - writes a tar archive to standard output
#     -j JOB      process ids, or words of the command line, of the job (default: processes that have loaded NCCL)
#     -n PROBES   only these, with commas
#     -t SECONDS  longest time of one probe
#     -k          also ask the cluster (kubectl, helm, scontrol)
#     -- CMD      run CMD between two readings of the counters; its output becomes run.log, its exit status is this script's
set -u
umask 077
