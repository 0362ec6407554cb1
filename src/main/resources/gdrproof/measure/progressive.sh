
# The matrix on one machine, lowest step first: one GPU, two, all; controls with a transport switched off; two host names on one machine, which
# NCCL treats as two nodes. Three runs each, the first a warm-up; NCCL's own log and JSON report of every run beside its text.

find_test() {
  for folder in ${NCCL_TESTS:+"$NCCL_TESTS" "$NCCL_TESTS/build"} ./build ./nccl-tests/build "$HOME/nccl-tests/build" /opt/nccl-tests/build /usr/local/nccl-tests/build /workspace/nccl-tests/build; do
    for name in $1 $2; do [ -x "$folder/$name" ] && { (cd "$folder" && printf '%s/%s' "$(pwd)" "$name"); return 0; }; done
  done
  for name in $1 $2; do has "$name" && { command -v "$name"; return 0; }; done
  return 1
}

if has nvidia-smi; then
  GPUS=$(nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | tr -d ' ' | grep '^[0-9][0-9]*$')
fi
[ -n "$CUDA_VISIBLE_DEVICES" ] && GPUS=$(printf '%s' "$CUDA_VISIBLE_DEVICES" | tr ',' '\n')
GPUS=$(printf '%s' "$GPUS" | tr '\n' ' ')
COUNT=$(printf '%s' "$GPUS" | wc -w | tr -d ' ')
FIRST=$(printf '%s' "$GPUS" | cut -d' ' -f1)
SECOND=$(printf '%s' "$GPUS" | cut -d' ' -f2)
ALL=$(printf '%s' "$GPUS" | sed 's/ *$//' | tr ' ' ',')

item host-state read-only
for probe in 'hostname' 'uname -a' 'nvidia-smi' 'nvidia-smi -q' 'nvidia-smi topo -m' 'nvidia-smi topo -p2p r' 'nvidia-smi topo -p2p w' 'nvidia-smi topo -p2p n' 'nvidia-smi nvlink -s' \
  'cat /proc/driver/nvidia/version' 'cat /proc/modules' 'ls -l /sys/class/infiniband' 'ls -l /dev/infiniband' 'ls -l /sys/kernel/mm/memory_peers' 'ibv_devinfo' 'ibstat' 'cat /proc/cmdline' 'lscpu' \
  'lspci -nn' 'cat /proc/self/limits' 'df -h /dev/shm' 'ip addr' 'ip route' 'mpirun --version'; do
  # what is missing is evidence too: the shell says so below the command
  run "$NODE.txt" 30 "$probe"
done

if [ "$COUNT" = 0 ]; then
  say "no GPU found (nvidia-smi): the matrix was not run"
  exit 0
fi

# tests NAME CUDA-DEVICES GPUS RUNS SWEEP ENVIRONMENT COLLECTIVE...: one step of the matrix
tests() {
  step=$1 devices=$2 gpus=$3 runs=$4 sweep=$5 settings=$6
  shift 6
  item "$step" load
  [ $SKIP = 1 ] && return 0
  [ $DRY = 1 ] || snapshot before
  for collective in "$@"; do
    program=$(find_test "${collective}_perf" "${collective}_perf_mpi") || { say "$ITEM: no ${collective}_perf found; set NCCL_TESTS"; continue; }
    turn=1
    while [ $turn -le "$runs" ]; do
      report=
      "$program" --help 2>&1 | grep -q -- '-J' && report="-J $DIR/$collective.run$turn.json"
      run "$collective.run$turn.txt" 240 "CUDA_VISIBLE_DEVICES=$devices${settings:+ $settings} NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH,ENV NCCL_DEBUG_FILE=$DIR/nccl.$collective.run$turn.%h.%p.log $program $sweep -g $gpus $report"
      turn=$((turn + 1))
    done
  done
  [ $DRY = 1 ] || snapshot after
}

SWEEP='-b 8M -e 1G -f 2 -w 5 -n 20 -c 1'
SHORT='-b 8M -e 128M -f 2 -w 2 -n 10 -c 1'

for gpu in $GPUS; do tests "one-gpu-$gpu" "$gpu" 1 1 "$SHORT" '' all_reduce; done
if [ "$COUNT" -ge 2 ]; then
  tests two-gpus "$FIRST,$SECOND" 2 3 "$SWEEP" '' all_reduce all_gather reduce_scatter alltoall
  [ "$COUNT" -gt 2 ] && tests all-gpus "$ALL" "$COUNT" 3 "$SWEEP" '' all_reduce all_gather reduce_scatter alltoall
  tests control-p2p-off "$ALL" "$COUNT" 3 "$SHORT" 'NCCL_P2P_DISABLE=1' all_reduce
  tests control-p2p-and-shm-off "$ALL" "$COUNT" 3 "$SHORT" 'NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1' all_reduce
  for setting in $EXTRA; do tests "control-${setting%%=*}" "$ALL" "$COUNT" 3 "$SWEEP" "$setting" all_reduce; done
fi

# Two host names on this machine. Each rank gets a name of its own in a UTS namespace; where that is not allowed, NCCL_HOSTID stands in for it.
MPI_TEST=$(find_test all_reduce_perf_mpi all_reduce_perf)
if ! has mpirun; then
  say "no mpirun: the run over two host names was left out"
elif [ -z "$MPI_TEST" ]; then
  say "no all_reduce_perf found; set NCCL_TESTS"
elif case $MPI_TEST in *_mpi) false ;; esac && has ldd && ! ldd "$MPI_TEST" 2>/dev/null | grep -q libmpi; then
  say "$MPI_TEST is built without MPI: the run over two host names was left out"
else
  A=$NODE-0 B=$NODE-1
  cat >"$TEMP/rank.sh" <<'RANK'
#!/bin/sh
name=$1 gpu=$2
shift 2
hostname "$name" 2>/dev/null || echo "$name" >/proc/sys/kernel/hostname
CUDA_VISIBLE_DEVICES=$gpu exec "$@"
RANK
  cat >"$TEMP/id.sh" <<'RANK'
#!/bin/sh
name=$1 gpu=$2
shift 2
NCCL_HOSTID=$name CUDA_VISIBLE_DEVICES=$gpu exec "$@"
RANK
  chmod +x "$TEMP/rank.sh" "$TEMP/id.sh"
  if unshare -u sh -c "hostname $A 2>/dev/null || echo $A >/proc/sys/kernel/hostname" 2>/dev/null; then
    ENTER="unshare -u $TEMP/rank.sh"
  elif unshare -Uru sh -c "hostname $A 2>/dev/null || echo $A >/proc/sys/kernel/hostname" 2>/dev/null; then
    ENTER="unshare -Uru $TEMP/rank.sh"
  else
    ENTER=$TEMP/id.sh
    say "no UTS namespace allowed here: NCCL_HOSTID tells the ranks apart"
  fi
  OTHER=$SECOND
  [ "$COUNT" -ge 2 ] || OTHER=$FIRST

  item launcher-check read-only
  run "launcher.txt" 60 "mpirun -np 1 $ENTER $A $FIRST hostname : -np 1 $ENTER $B $OTHER hostname"
  item two-hosts-state read-only
  case $ENTER in
    unshare*)
      for name in $A $B; do
        for probe in 'ls -l /sys/class/infiniband' 'ls -l /dev/infiniband' 'ls -l /sys/kernel/mm/memory_peers' "grep -H . /sys/bus/pci/devices/*/vendor /sys/bus/pci/devices/*/device /sys/bus/pci/devices/*/class" 'cat /proc/modules' 'ibv_devinfo' 'cat /proc/self/limits' 'df -h /dev/shm' 'ip addr' 'nvidia-smi topo -m' 'cat /proc/driver/nvidia/version'; do
          [ $SKIP = 1 ] || [ $DRY = 1 ] || printf 'gdrproof@%s:~$ %s\n' "$name" "$probe" >>"$DIR/$name.txt"
          [ $SKIP = 1 ] || [ $DRY = 1 ] || $ENTER "$name" "$FIRST" sh -c "$probe" >>"$DIR/$name.txt" 2>&1 </dev/null
        done
      done ;;
  esac

  # two_hosts STEP RUNS SECONDS SETTINGS: one GPU on each of two host names
  two_hosts() {
    step=$1 runs=$2 limit=$3 settings=$4
    item "$step" load
    [ $SKIP = 1 ] && return 0
    [ $DRY = 1 ] || snapshot before
    turn=1
    while [ $turn -le "$runs" ]; do
      report=
      "$MPI_TEST" --help 2>&1 | grep -q -- '-J' && report="-J $DIR/all_reduce.run$turn.json"
      settings_now="NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH,ENV NCCL_DEBUG_FILE=$DIR/nccl.run$turn.%h.%p.log${settings:+ $settings}"
      ranks="-np 1 $ENTER $A $FIRST $MPI_TEST $SHORT -g 1 $report : -np 1 $ENTER $B $OTHER $MPI_TEST $SHORT -g 1 $report"
      # mpirun hands its own environment to ranks on the same machine.
      TYPED="mpirun$(for setting in $settings_now; do printf ' -x %s' "$setting"; done) $ranks"
      run "all_reduce.run$turn.txt" "$limit" "$settings_now mpirun $ranks"
      TYPED=
      turn=$((turn + 1))
    done
    [ $DRY = 1 ] || snapshot after
  }
  two_hosts one-gpu-per-host 3 240 ''
  two_hosts nccl-net-log 1 90 'NCCL_NET=IB'
  two_hosts control-socket 3 240 'NCCL_NET=Socket'
fi
