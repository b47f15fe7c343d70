#!/bin/sh
# Submits a search or an enumeration to Slurm in shards, and a job that merges them (docs/how-to/many-machines.md):
#
#   SHARDS=1000 TASKS=100 scripts/slurm/submit.sh FOLDER enumerate SCENARIO [OPTION...]
#   SHARDS=1000 TASKS=100 scripts/slurm/submit.sh FOLDER search SCENARIO... --searcher NAME [OPTION...]
#
# TASKS tasks of one job array share SHARDS shards. Submit the same command again after a failure: only what is missing is run.
# sbatch reads the partition, account, time limit and so on from its own variables (SBATCH_PARTITION, SBATCH_ACCOUNT,
# SBATCH_TIMELIMIT, ...). CUBICBENCH and CUBICBENCH_THREADS are as in one_shard.sh; CPUS is Slurm's CPUs per task (default: 1).
set -eu

stop() {
  echo "submit.sh: $1" >&2
  exit 2
}

# number NAME VALUE
number() {
  case $2 in
    '') stop "expected $1, a whole number, in the environment; for example SHARDS=1000 TASKS=100" ;;
    *[!0-9]* | 0*) stop "expected $1 to be a whole number from 1 on, got \"$2\"" ;;
  esac
}

number SHARDS "${SHARDS-}"
number TASKS "${TASKS-}"
number CPUS "${CPUS-1}"
[ "$TASKS" -le "$SHARDS" ] || stop "expected at least as many shards as tasks, got $SHARDS and $TASKS"
[ $# -ge 3 ] || stop 'expected FOLDER enumerate|search ARGUMENT...'
for program in sbatch "${CUBICBENCH:-cubicbench}"; do
  command -v "$program" >/dev/null || stop "$program is not in the PATH"
done
folder=$1
shift
scripts=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/logs"
folder=$(cd "$folder" && pwd)

array=$(sbatch --parsable --requeue --job-name=cubicbench-shards --array="1-$TASKS" --cpus-per-task="${CPUS-1}" \
  --open-mode=append --output="$folder/logs/%a.log" \
  "$scripts/array_task.sh" "$TASKS" "$scripts" "$folder" "$SHARDS" "$@")
array=${array%%;*}
# After any end of the tasks, so that the log of this job names the shards that are missing.
merge=$(sbatch --parsable --requeue --job-name=cubicbench-merge --dependency="afterany:$array" \
  --open-mode=append --output="$folder/logs/merge.log" "$scripts/merge_shards.sh" "$folder")
echo "job $array runs $SHARDS shards in $TASKS tasks, job ${merge%%;*} merges them; logs are in $folder/logs"
