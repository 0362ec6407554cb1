usage() { sed -n '/^#   sh collect/,/^set -u/p' "$0" 2>/dev/null | sed -n 's/^#   //p' >&2; exit 2; }

out='' only='' longest=0 cluster='' GDRPROOF_JOB=${GDRPROOF_JOB:-}
while getopts o:j:n:t:kh option; do
  case $option in
    o) out=$OPTARG ;;
    j) GDRPROOF_JOB=$OPTARG ;;
    n) only=$(printf '%s' "$OPTARG" | tr ',' ' ') ;;
    t) longest=$OPTARG ;;
    k) cluster=1 ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
case $longest in '' | *[!0-9]*) usage ;; esac
export GDRPROOF_JOB

host=$(cat /proc/sys/kernel/hostname 2>/dev/null || uname -n)
host=${host%%.*}
boundary=host
if [ -e /.dockerenv ] || [ -e /run/.containerenv ] || [ -n "${KUBERNETES_SERVICE_HOST:-}" ]; then boundary=container; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/gdrproof.XXXXXX") || exit 3
archive=
if [ "$out" = - ]; then archive=1 out=$work/bundle; fi
out=${out:-gdrproof-$host}
mkdir -p "$out/$host/$boundary" || { rm -rf "$work"; echo "collect.sh: cannot write $out" >&2; exit 3; }
out=$(cd "$out" && pwd)
printf '%s' "$prelude" >"$work/prelude"
printf '%s' "$redaction" >"$work/redact"
# shellcheck source=/dev/null
. "$work/prelude"
printf 'token=abcdefgh\n' | sed -E -f "$work/redact" 2>/dev/null | grep -q abcdefgh && { rm -rf "$work"; echo "collect.sh: this sed cannot redact (no -E); nothing was collected" >&2; exit 3; }
setsid=
have setsid && setsid=setsid
tick=1 per_second=1
sleep 0.01 2>/dev/null && tick=0.1 per_second=10
mark=script$$x$(date +%s)
unbuffered=
printf x | sed -u p >/dev/null 2>&1 && unbuffered=-u

# Ends what a probe started: its group, then whatever carries the mark although it left the group.
end_group() {
  group=$(cat "$work/group" 2>/dev/null) || return 0
  if kill -s TERM -- "-$group" 2>/dev/null || kill -s TERM "$group" 2>/dev/null; then
    sleep "$tick"
    kill -s KILL -- "-$group" 2>/dev/null || kill -s KILL "$group" 2>/dev/null
  fi
  rm -f "$work/group"
}
sweep() {
  # shellcheck disable=SC2013
  for f in $(grep -ls "GDRPROOF_LEASH=$mark" /proc/[0-9]*/environ 2>/dev/null); do
    p=${f#/proc/} p=${p%/environ}
    [ "$p" = $$ ] || kill -s KILL "$p" 2>/dev/null
  done
}
finish() {
  trap '' INT TERM HUP
  end_group
  sweep
  kill "$watchdog" 2>/dev/null
  rm -rf "$work"
}
trap 'finish; echo "collect.sh: stopped; what was collected stays in $out" >&2; exit 130' INT HUP
trap 'finish; echo "collect.sh: stopped; what was collected stays in $out" >&2; exit 143' TERM
# Should this script be killed outright, its probe must not stay.
# shellcheck disable=SC2016,SC2086
$setsid /bin/sh -c 'while kill -0 "$1" 2>/dev/null; do sleep 1; done; g=$(cat "$2/group" 2>/dev/null) && { kill -s KILL -- "-$g" || kill -s KILL "$g"; }; rm -rf "$2"' watchdog $$ "$work" </dev/null >/dev/null 2>&1 &
watchdog=$!

json() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/	/\\t/g'; }
# name status reason exit seconds time command file
note() {
  printf '{"schema":"gdrproof/collection/v1","probe":"%s","node":"%s","boundary":"%s","status":"%s","reason":"%s","exit":%s,"seconds":%s,"time":"%s","command":"%s","file":"%s"}\n' \
    "$1" "$where_host" "$where" "$2" "$(json "$3")" "$4" "$5" "$6" "$(json "$7")" "$8" >>"$folder/collection.jsonl"
  case $2 in done) good=$((good + 1)) ;; *) bad=$((bad + 1)) ;; esac
}
good=0 bad=0 phase='' jobs='' jobless=''

# name where group counters seconds KiB tool command text
probe() {
  name=$1
  case $2 in
    cluster) [ -n "$cluster" ] || return 0; where_host=- where=cluster folder=$out/cluster ;;
    container) [ "$boundary" = container ] || return 0; where_host=$host where=$boundary folder=$out/$host/$boundary ;;
    *) where_host=$host where=$boundary folder=$out/$host/$boundary ;;
  esac
  if [ -n "$only" ]; then case " $only " in *" $name "*) ;; *) return 0 ;; esac; fi
  if [ "$3" = job ]; then
    [ -n "$jobless" ] && return 0
    if [ -z "$jobs" ]; then
      jobs=$(job_pids | tr '\n' ',')
      jobs=${jobs%,}
      if [ -z "$jobs" ]; then
        jobless=1
        note job failed 'no process of a job was found (one that has loaded NCCL; -j names others)' -1 0 "$(date -u +%Y-%m-%dT%H:%M:%SZ)" 'cat /proc/PID/maps' ''
        return 0
      fi
      GDRPROOF_JOB=$jobs
    fi
  fi
  if [ -n "$phase" ]; then
    [ "$4" = counters ] || return 0
    name=$name-$phase
  fi
  [ -z "$phase" ] && [ -e "$folder/$name.txt" ] && return 0
  mkdir -p "$folder"
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  lack=''
  [ -n "$7" ] && lack=$(lacks "$7")
  if [ -n "$lack" ]; then
    note "$name" missing-tool "$lack" -1 0 "$now" "$8" ''
    return 0
  fi
  seconds=$5
  [ "$longest" -gt 0 ] && [ "$longest" -lt "$seconds" ] && seconds=$longest
  printf 'collect.sh: %s %s\n' "$host" "$name" >&2
  rm -f "$work/rc" "$work/end" "$work/group"
  begun=$(date +%s)
  # shellcheck disable=SC2016,SC2086
  { GDRPROOF_LEASH=$mark $setsid /bin/sh -c 'echo $$ >"$1/group"; . "$1/prelude"; eval "$2"' probe "$work" "$9" </dev/null 2>&1; echo $? >"$work/rc"; } | { head -c $(($6 * 1024 + 1)) >"$work/out"; : >"$work/end"; } &
  turn=0 late='' ended=0
  limit=$((seconds * per_second))
  while [ ! -e "$work/end" ]; do
    [ -e "$work/rc" ] && ended=$((ended + 1))
    [ "$ended" -gt 5 ] && break
    [ "$turn" -ge "$limit" ] && { late=1; break; }
    if [ "$turn" = 0 ] && [ "$per_second" = 10 ]; then sleep 0.03; [ -e "$work/end" ] && break; fi
    sleep "$tick"
    turn=$((turn + 1))
  done
  end_group
  [ -e "$work/end" ] || { sleep "$tick"; [ -e "$work/end" ] || sweep; }
  took=$(($(date +%s) - begun))
  code=$(cat "$work/rc" 2>/dev/null) || code=
  code=${code:--1}
  status=failed reason="exit status $code"
  [ "$code" = 0 ] && status='done' reason=''
  if [ "$code" != 0 ] || [ "$3" = job ]; then
    grep -qiE 'permission denied|operation not permitted|must be root|are you root' "$work/out" && status=no-permission reason='permission denied; run it as root'
  fi
  [ "$code" = 127 ] && status=missing-tool reason='a program is not installed'
  if [ "$(wc -c <"$work/out")" -gt $(($6 * 1024)) ]; then
    status=cut reason="cut at its limit of $6 KiB"
    sed '$d' "$work/out" >"$work/whole" && mv "$work/whole" "$work/out"
  fi
  [ -n "$late" ] && status=timeout reason="stopped at its limit of $seconds s" code=-1
  {
    printf '# gdrproof-probe v=1 probe=%s host=%s boundary=%s time=%s exit=%s seconds=%s status=%s command=%s\n' "$name" "$where_host" "$where" "$now" "$code" "$took" "$status" "$8"
    sed -E -f "$work/redact" "$work/out"
  } >"$folder/.$name.part" && mv "$folder/.$name.part" "$folder/$name.txt" && note "$name" "$status" "$reason" "$code" "$took" "$now" "$8" "$name.txt"
}
