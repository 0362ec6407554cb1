#!/bin/sh
# Written by gdrproof: performs measurements on a machine without Java and stores what they print as a bundle for `gdrproof diagnose`.
#
# usage: sh measure.sh [-o FOLDER] [-b SECONDS] [-r] [-f] [-n] [-e NAME=VALUE]...
#   -o FOLDER   where the bundle goes (default: gdrproof-NODE-TIME in the current folder)
#   -b SECONDS  budget for everything (default: 1500)
#   -r          read-only commands alone; nothing that loads GPUs or fabric
#   -f          measure although a GPU or a port is busy
#   -n          print the commands, run nothing
#   -e N=V      one more control run of the matrix with this variable, such as NCCL_NVLS_ENABLE=0
# NCCL_TESTS=FOLDER names the folder of the nccl-tests programs where they are not on PATH.
# Nothing here changes the machine's state. The environment of the tests is reduced to what they need, so no secret gets into their reports.

OUT= BUDGET=1500 READ_ONLY=0 OVERRULE=0 DRY=0 EXTRA=
while getopts o:b:rfne: option; do
  case $option in
    o) OUT=$OPTARG ;;
    b) BUDGET=$OPTARG ;;
    r) READ_ONLY=1 ;;
    f) OVERRULE=1 ;;
    n) DRY=1 ;;
    e) EXTRA="$EXTRA $OPTARG" ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
LC_ALL=C
export LC_ALL
NODE=$(uname -n | cut -d. -f1)
[ -n "$OUT" ] || OUT=gdrproof-$NODE-$(date -u +%Y%m%dT%H%M%SZ)
case $OUT in *[!A-Za-z0-9_./-]*) echo "gdrproof: -o $OUT: use letters, digits, dots and dashes" >&2; exit 2 ;; esac
case $OUT in /*) ;; *) OUT=$(pwd)/$OUT ;; esac
STARTED=$(date +%s)
NUMBER=0 RUNNING= ITEM= DIR= SKIP=0 TYPED=
TEMP=$(mktemp -d "${TMPDIR:-/tmp}/gdrproof.XXXXXX") || exit 3

say() { printf 'gdrproof: %s\n' "$*" >&2; }
left() { echo $((BUDGET - $(date +%s) + STARTED)); }
has() { command -v "$1" >/dev/null 2>&1; }
nap() { sleep 0.2 2>/dev/null || sleep 1; }

# Ends a command and everything that it started: each is the leader of its own session.
stop() {
  kill -TERM "-$1" 2>/dev/null || kill -TERM "$1" 2>/dev/null || return 0
  tries=0
  while [ $tries -lt 15 ] && kill -0 "-$1" 2>/dev/null; do nap; tries=$((tries + 1)); done
  kill -KILL "-$1" 2>/dev/null || kill -KILL "$1" 2>/dev/null
  return 0
}
finish() {
  trap - EXIT INT TERM HUP
  for pid in $RUNNING; do stop "$pid"; done
  for part in "$TEMP"/*.head; do
    [ -f "$part" ] || continue
    status=stopped code=-1
    close_part "${part%.head}"
  done
  rm -rf "$TEMP"
}
trap 'finish' EXIT
trap 'say "interrupted; what was measured so far stays in $OUT"; finish; exit 130' INT TERM HUP

# The environment of a test: names that launcher, CUDA and NCCL need.
CLEAN=
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
  case $name in
    *TOKEN* | *SECRET* | *PASS* | *KEY* | *CREDENTIAL*) ;;
    PATH | HOME | USER | LOGNAME | LANG | LC_ALL | TMPDIR | SHELL | LD_LIBRARY_PATH | LD_PRELOAD | CUDA_* | NCCL_* | OMPI_* | OPAL_* | PMIX_* | PRTE_* | MPI_* | UCX_* | FI_* | SLURM_* | NVIDIA_VISIBLE_DEVICES | NVIDIA_DRIVER_CAPABILITIES | CUDA_VISIBLE_DEVICES)
      eval "value=\$$name"
      case $value in *"'"*) ;; *) CLEAN="$CLEAN $name='$value'" ;; esac ;;
  esac
done
# Open MPI refuses root and more ranks than cores unless told; a test machine is often both.
CLEAN="$CLEAN OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1"

# launch COMMAND OUTPUT STATUS-FILE: starts it in a session of its own; sets child
launch() {
  if has setsid; then
    setsid env -i /bin/sh -c "export $CLEAN; ( $1
); echo \$? >'$3'" >>"$2" 2>&1 </dev/null &
  else
    env -i /bin/sh -c "export $CLEAN; ( $1
); echo \$? >'$3'" >>"$2" 2>&1 </dev/null &
  fi
  child=$!
  RUNNING="$RUNNING $child"
}
forget() {
  rest=
  for pid in $RUNNING; do [ "$pid" = "$1" ] || rest="$rest $pid"; done
  RUNNING=$rest
}

# await PID STATUS-FILE SECONDS: waits for the end; sets status (done, timed-out) and code
await() {
  deadline=$(($(date +%s) + $3))
  status=done
  while [ ! -s "$2" ]; do
    if [ "$(date +%s)" -ge "$deadline" ]; then
      status=timed-out
      ras
      stop "$1"
      break
    fi
    # killed from outside it leaves no status
    if grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null && [ ! -s "$2" ]; then break; fi
    nap
  done
  wait "$1" 2>/dev/null
  code=$(cat "$2" 2>/dev/null)
  [ -n "$code" ] || code=-1
  rm -f "$2"
  forget "$1"
}

# A hanging job's own view of its ranks, twice: the same counts mean a stuck rank.
ras() {
  [ "$LOAD" = 1 ] && has ncclras || return 0
  for turn in 1 2; do
    { printf 'gdrproof@%s:~$ ncclras -v\n' "$NODE"; timeout 10 ncclras -v 2>&1; } >"$DIR/ras-$turn.txt"
    sleep 2
  done
}

# item NAME COST: begins a measurement; SKIP=1 where it must not run
item() {
  NUMBER=$((NUMBER + 1))
  ITEM=$(printf '%03d' "$NUMBER")-$1
  DIR=$OUT/measured/$ITEM
  SKIP=0 LOAD=0
  case $2 in
    read-only) ;;
    load)
      LOAD=1
      if [ "$READ_ONLY" = 1 ]; then SKIP=1; say "$ITEM: left out, read-only asked for"; fi ;;
    *) SKIP=1; say "$ITEM: refused, it would change the machine's state" ;;
  esac
  if [ $SKIP = 0 ] && [ "$(left)" -le 0 ]; then SKIP=1; say "$ITEM: left out, the budget of $BUDGET s is spent"; fi
  if [ $SKIP = 0 ] && [ $LOAD = 1 ] && [ $DRY = 0 ] && busy; then SKIP=1; say "$ITEM: left out, $why (-f measures all the same)"; fi
  if [ $SKIP = 0 ] && [ $DRY = 0 ]; then mkdir -p "$DIR" || exit 3; say "$ITEM"; fi
}

# Whether a GPU has processes or work, or a port carries traffic; why says which. The driver's figure still shows our own last test for a moment.
busy() {
  [ "$OVERRULE" = 1 ] && return 1
  for look in 1 2 3; do
    occupied || return 1
    [ $look = 3 ] || sleep 2
  done
}
occupied() {
  why=
  if has nvidia-smi; then
    apps=$(nvidia-smi --query-compute-apps=pid,name --format=csv,noheader 2>/dev/null | grep -c '^ *[0-9]')
    [ "${apps:-0}" -gt 0 ] && why="$apps processes use a GPU"
    work=$(nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits 2>/dev/null | sort -n | tail -n 1)
    case $work in '' | *[!0-9]*) ;; *) [ "$work" -gt 10 ] && why="a GPU is $work % busy" ;; esac
  fi
  if [ -d /sys/class/infiniband ]; then
    first=$(words); sleep 1; second=$(words)
    # counters are 4-byte words: 25,000,000 of them in a second are 0.8 Gb/s
    [ $((second - first)) -gt 25000000 ] && why="an HCA port carries traffic"
  fi
  [ -n "$why" ]
}
words() {
  sum=0
  for file in /sys/class/infiniband/*/ports/*/counters/port_xmit_data /sys/class/infiniband/*/ports/*/counters/port_rcv_data; do
    [ -r "$file" ] && sum=$((sum + $(cat "$file" 2>/dev/null || echo 0)))
  done
  echo "$sum"
}

# snapshot WHEN: clocks, temperatures and counters before and after a load
snapshot() {
  file=$DIR/$NODE.$1.txt
  {
    if has nvidia-smi; then
      ask='nvidia-smi --query-gpu=index,pci.bus_id,pstate,clocks.sm,clocks.max.sm,temperature.gpu,power.draw,power.limit,utilization.gpu,clocks_event_reasons.active --format=csv'
      printf 'gdrproof@%s:~$ %s\n' "$NODE" "$ask"
      $ask 2>&1
    fi
    set -- /sys/class/infiniband/*/ports/*/counters /sys/class/infiniband/*/ports/*/hw_counters
    if [ -d "$1" ]; then
      printf 'gdrproof@%s:~$ date\n' "$NODE"
      date -u +%Y-%m-%dT%H:%M:%SZ
      printf 'gdrproof@%s:~$ grep . %s\n' "$NODE" "/sys/class/infiniband/*/ports/*/counters/*"
      for folder in "$@"; do [ -d "$folder" ] && grep . "$folder"/* 2>/dev/null; done
    fi
  } >"$file"
  [ -s "$file" ] || rm -f "$file"
}

# open_part NAME NODE FILE COMMAND and close_part PART: the output of a command is gathered in TEMP and joins its file behind a head that says how the command ended
open_part() {
  : >"$TEMP/$1"
  printf '%s\n%s\n%s\n%s\n%s\n%s\n' "$3" "$2" "$ITEM" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(date +%s)" "$4" >"$TEMP/$1.head"
}
close_part() {
  { read -r to; read -r at; read -r what; read -r when; read -r since; read -r typed; } <"$1.head"
  case $status/$code in
    done/0) end=done ;;
    done/127) end=missing-tool ;;
    done/*) end=failed ;;
    timed-out/*) end=timeout ;;
    *) end=stopped ;;
  esac
  {
    printf '# gdrproof-probe v=1 probe=%s host=%s boundary=host time=%s exit=%s seconds=%s status=%s command=%s\n' "${what#*-}" "$at" "$when" "$code" $(($(date +%s) - since)) "$end" "$typed"
    printf 'gdrproof@%s:~$ %s\n' "$at" "$typed"
    cat "$1"
  } >>"$to"
  rm -f "$1" "$1.head"
}

# run FILE SECONDS COMMAND: one command on this machine, its output below its command line in DIR/FILE
run() { as "$NODE" "$@"; }

# as NODE FILE SECONDS COMMAND: the same, attributed to another host name
as() {
  [ $SKIP = 1 ] && return 0
  host=$1 file=$DIR/$2 limit=$3
  shift 3
  if [ $DRY = 1 ]; then printf '%s@%s: %s\n' "$ITEM" "$host" "$*"; return 0; fi
  rest=$(left)
  [ "$rest" -le 0 ] && { say "$ITEM: left out, the budget of $BUDGET s is spent"; return 0; }
  [ "$limit" -gt "$rest" ] && limit=$rest
  # TYPED: how a reader would type it, where that is not what runs
  open_part one "$host" "$file" "${TYPED:-$*}"
  # Two host names on one machine are this machine.
  case $host in "$NODE" | "$NODE"-[01]) launch "$*" "$TEMP/one" "$TEMP/status" ;; *) launch "$(on "$host" "$*")" "$TEMP/one" "$TEMP/status" ;; esac
  await "$child" "$TEMP/status" "$limit"
  close_part "$TEMP/one"
  [ "$status" = done ] || say "$ITEM: stopped after $limit s"
}

# on NODE COMMAND: the command line that runs it there
on() {
  if [ "$1" = "$NODE" ] || [ "$1" = localhost ]; then printf '%s' "$2"; else printf "%s %s '%s'" "${REMOTE:-ssh -o BatchMode=yes -o ConnectTimeout=10}" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")"; fi
}

# step NODE SECONDS COMMAND: one command of a plan
step() { as "$1" "$1.txt" "$2" "$3"; }

# members SECONDS NODE COMMAND [NODE COMMAND]...: the parts of one job, started together and awaited together
members() {
  [ $SKIP = 1 ] && return 0
  limit=$1
  shift
  rest=$(left)
  [ "$limit" -gt "$rest" ] && limit=$rest
  parts= count=0
  while [ $# -gt 1 ]; do
    if [ $DRY = 1 ]; then printf '%s@%s: %s\n' "$ITEM" "$1" "$2"; shift 2; continue; fi
    count=$((count + 1))
    open_part "member-$count" "$1" "$DIR/$1.txt" "$2"
    launch "$(on "$1" "$2")" "$TEMP/member-$count" "$TEMP/part-$count"
    parts="$parts $child"
    shift 2
  done
  count=0
  for part in $parts; do
    count=$((count + 1))
    await "$part" "$TEMP/part-$count" "$limit"
    close_part "$TEMP/member-$count"
    [ "$status" = done ] || say "$ITEM: a part was stopped after $limit s"
  done
}

# pair SECONDS SERVER-NODE PORT SERVER-COMMAND CLIENT-NODE CLIENT-COMMAND: server first, client when it listens, both always stopped
pair() {
  [ $SKIP = 1 ] && return 0
  limit=$1 server=$2 port=$3 serve=$4 client=$5 call=$6
  if [ $DRY = 1 ]; then printf '%s@%s: %s\n%s@%s: %s\n' "$ITEM" "$server" "$serve" "$ITEM" "$client" "$call"; return 0; fi
  rest=$(left)
  [ "$rest" -le 0 ] && { say "$ITEM: left out, the budget of $BUDGET s is spent"; return 0; }
  [ "$limit" -gt "$rest" ] && limit=$rest
  log=$TEMP/serving
  open_part serving "$server" "$DIR/$server.server.txt" "$serve"
  launch "$(on "$server" "$serve")" "$log" "$TEMP/server"
  listener=$child tries=0
  hex=$(printf '%04X' "$port")
  probe="grep -qiE '^ *[0-9]+: [0-9A-F]+:$hex [0-9A-F]+:0000 0A' /proc/net/tcp /proc/net/tcp6"
  until sh -c "$(on "$server" "$probe")" 2>/dev/null || grep -q 'Waiting for client' "$log" || [ -s "$TEMP/server" ] || [ $tries -ge 50 ]; do nap; tries=$((tries + 1)); done
  if [ -s "$TEMP/server" ] || [ $tries -ge 50 ]; then
    say "$ITEM: the server on $server did not listen; the client was not started"
    stop "$listener"
  else
    as "$client" "$client.txt" "$limit" "$call"
  fi
  await "$listener" "$TEMP/server" 5
  close_part "$TEMP/serving"
}
