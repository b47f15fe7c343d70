#!/bin/sh
# One task of the job array that submit.sh submits: array_task.sh TASKS SCRIPTS FOLDER N COMMAND... runs the shards
# SLURM_ARRAY_TASK_ID, that plus TASKS, that plus twice TASKS, ... of N. Slurm runs a copy of this file, so SCRIPTS says where the
# others are.
set -eu

: "${SLURM_ARRAY_TASK_ID:?array_task.sh: expected to run as a task of a job array; see scripts/slurm/submit.sh}"
tasks=$1 scripts=$2 folder=$3 of=$4
shift 4
index=$SLURM_ARRAY_TASK_ID
result=0
while [ "$index" -le "$of" ]; do
  status=0
  "$scripts/one_shard.sh" "$folder" "$index/$of" "$@" || status=$?
  # Bad input is bad for all shards, and a signal is meant for the task. After any other failure the remaining shards are tried.
  if [ "$status" -eq 2 ] || [ "$status" -ge 128 ]; then exit "$status"; fi
  if [ "$status" -ne 0 ]; then
    echo "array_task.sh: shard $index/$of ended with exit code $status" >&2
    result=1
  fi
  index=$((index + tasks))
done
exit "$result"
