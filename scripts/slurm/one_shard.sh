#!/bin/sh
# Runs one shard of a search or an enumeration (docs/how-to/many-machines.md):
#
#   scripts/slurm/one_shard.sh FOLDER I/N enumerate SCENARIO [OPTION...]
#   scripts/slurm/one_shard.sh FOLDER I/N search SCENARIO... --searcher NAME [OPTION...]
#
# Call it as often as you like: a finished shard is left as it is, a search continues where it was killed, and an enumeration, whose
# result appears under its name only when it is complete, is valued again. The shards are FOLDER/shards/I.json or FOLDER/shards/I/.
# FOLDER/command holds N and the command, and another command is refused.
#   CUBICBENCH          the program (default: cubicbench)
#   CUBICBENCH_THREADS  threads of one shard (default: Slurm's CPUs per task, else 1)
set -eu

stop() {
  echo "one_shard.sh: $1" >&2
  exit 2
}

[ $# -ge 4 ] || stop 'expected FOLDER I/N enumerate|search ARGUMENT...'
folder=$1 shard=$2
shift 2
case $shard in
  */*) index=${shard%%/*} of=${shard#*/} ;;
  *) stop "expected a shard I/N, got \"$shard\"" ;;
esac
case $index$of in
  *[!0-9]* | '') stop "expected a shard I/N of whole numbers, got \"$shard\"" ;;
esac
case $1 in
  enumerate | search) ;;
  *) stop "expected the command enumerate or search, got \"$1\"" ;;
esac
for word; do
  case $word in
    --shard | --shard=* | --out | --out=* | --resume) stop "expected a command without $word, which this script sets" ;;
  esac
done

# command_text WORD...
command_text() {
  echo "$of"
  printf '%s\n' "$@"
}
mkdir -p "$folder/shards"
# The first shard names the command. A link is made whole or not at all, on a shared file system too.
if [ ! -e "$folder/command" ]; then
  new=$(mktemp "$folder/.command.XXXXXX")
  command_text "$@" >"$new"
  ln "$new" "$folder/command" 2>/dev/null || true
  rm -f "$new"
fi
command_text "$@" | cmp -s - "$folder/command" || stop "$folder/command names another command or number of shards; take a new folder"

set -- "$@" --shard "$shard" --quiet --threads "${CUBICBENCH_THREADS:-${SLURM_CPUS_PER_TASK:-1}}"
program=${CUBICBENCH:-cubicbench}
if [ "$1" = search ]; then
  "$program" "$@" --out "$folder/shards/$index" --resume >/dev/null
elif [ ! -e "$folder/shards/$index.json" ]; then
  "$program" "$@" --out "$folder/shards/$index.json" >/dev/null
fi
