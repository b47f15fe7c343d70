#!/bin/sh
# A backend in ten lines: runs a program with the settings of one trial, times it, and answers.
#
#   cubicbench search tiny-llama --searcher random --trials 6 --out DIR \
#       --backend "command:docs/examples/time_a_program.sh"
#
# The program is gzip. For a training job, put torchrun and the request's "launch" options in its
# place and read the throughput from its log; docs/real-runs.md describes the protocol.

read -r request # one line of JSON: {"protocol":1,...,"config":{"micro_batch":2,...},...}

# The value of a setting, without quotes; empty where the trial does not have it.
setting() { printf '%s\n' "$request" | sed -n "s/.*[{,]\"$1\":\"*\([^,\"}]*\).*/\1/p"; }

kib=$((64 * $(setting micro_batch))) || exit 2  # exit 2: such a trial cannot be run at all
level=6
if [ "$(setting compile)" = true ]; then level=1; fi

start=$(date +%s%N)
dd if=/dev/zero bs="${kib}k" count=64 2>/dev/null | gzip "-$level" >/dev/null || exit 1
end=$(date +%s%N)

# The last line of the output is the answer; what came before it would be the job's log.
awk -v seconds="$(((end - start) / 1000))e-6" -v mib="$((kib * 64 / 1024))" 'BEGIN {
  printf "{\"state\":\"complete\",\"value\":%.6g,\"metrics\":{\"step_time_s\":%.6g}}\n", mib / seconds, seconds }'
