
[ $DRY = 1 ] || say "done after $(($(date +%s) - STARTED)) s; now: gdrproof diagnose $OUT"
