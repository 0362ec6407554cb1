all() {
@PROBES@
}

status_of_command=0
if [ $# -gt 0 ]; then
  phase=before
  all
  echo "collect.sh: running $1" >&2
  # shellcheck disable=SC2086
  { "$@" 2>&1; echo $? >"$work/command"; } | sed -E $unbuffered -f "$work/redact" | tee "$out/run.log"
  status_of_command=$(cat "$work/command" 2>/dev/null || echo 1)
  phase=after
  all
  phase=
fi
all
echo "collect.sh: $good outputs in $out, $bad not had (see $out/$host/$boundary/collection.jsonl)" >&2
if [ -n "$archive" ]; then tar -C "$out" -cf - .; fi
finish
exit "$status_of_command"
