#!/bin/sh
# Merges the shards that one_shard.sh left in a folder: scripts/slurm/merge_shards.sh FOLDER writes FOLDER/whole.json (enumerate) or
# FOLDER/whole/ (search), byte for byte what one process would have written. Exit code 1, with the numbers of the missing
# shards, where some are missing. CUBICBENCH is the program (default: cubicbench).
set -eu

[ $# -eq 1 ] || {
  echo 'usage: merge_shards.sh FOLDER' >&2
  exit 2
}
folder=$1
[ -f "$folder/command" ] || {
  echo "merge_shards.sh: no shard was begun in $folder" >&2
  exit 1
}
{
  read -r of
  read -r command
} <"$folder/command"
ending=.json
[ "$command" = enumerate ] || ending=
if [ -e "$folder/whole$ending" ]; then
  echo "merge_shards.sh: $folder/whole$ending is complete already" >&2
  exit 0
fi

set --
missing='' count=0 index=1
while [ "$index" -le "$of" ]; do
  set -- "$@" "$folder/shards/$index$ending"
  if [ ! -e "$folder/shards/$index$ending" ]; then
    count=$((count + 1))
    [ "$count" -gt 20 ] || missing="$missing $index"
  fi
  index=$((index + 1))
done
if [ "$count" -gt 0 ]; then
  [ "$count" -le 20 ] || missing="$missing ..."
  echo "merge_shards.sh: $count of $of shards are missing:$missing. Submit the same command again." >&2
  exit 1
fi
# The merge keeps a file of every shard open. POSIX leaves this option out; Debian's shells have it.
# shellcheck disable=SC3045
ulimit -n "$(ulimit -H -n)" 2>/dev/null || true
exec "${CUBICBENCH:-cubicbench}" merge "$@" --out "$folder/whole$ending"
