# To be sourced. watched LOG COMMAND...: runs COMMAND with its output in LOG, and says every few seconds how long it has been
# running and what it said last, with or without a terminal. Of a command that fails, what it said last is shown, and its
# exit code returned.

seconds_text() {
  if (($1 < 100)); then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi
}

# After "[120/402] ..." of a build, how long the rest takes at this pace.
rest_of() {
  local line=$1 seconds=$2
  [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || return 0
  local built=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  ((built * 10 < all)) || printf ', about %s left' "$(seconds_text $((seconds * (all - built) / built)))"
}

watched() {
  local log=$1 begin=$SECONDS said=$SECONDS status=0 last child
  shift
  "$@" >"$log" 2>&1 </dev/null &
  child=$!
  trap 'kill "$child" 2>/dev/null; wait "$child"; trap - INT TERM; exit 130' INT TERM
  while kill -0 "$child" 2>/dev/null; do
    # A step of a second, so that what is done soon is not waited for.
    sleep 1
    ((SECONDS - said >= 5)) || continue
    said=$SECONDS
    last=$(tail -n 1 "$log" | cut -c 1-60)
    printf '   %4d s%s  %s\n' $((SECONDS - begin)) "$(rest_of "$last" $((SECONDS - begin)))" "$last"
  done
  wait "$child" || status=$?
  trap - INT TERM
  [[ $status -eq 0 ]] || tail -n 30 "$log" >&2
  return "$status"
}
