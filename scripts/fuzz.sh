#!/usr/bin/env bash
# Hostile input, made at random: scripts/fuzz.sh [SECONDS [TARGET...]]
#   SECONDS  of each target (default 300)
#   TARGET   of tests/fuzz/ (default: all)
# Builds the preset `fuzz` (clang, address and undefined-behaviour sanitizers), goes on from the inputs that earlier runs found
# to be new, below build/fuzz/inputs/, and stops at the first target that breaks: what broke it is left in out/fuzz/, and one
# line says how to repeat it. An input has 2 GB and 120 s: a busy machine is no finding.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-300}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
targets=("${@:2}")

mkdir -p build
cmake --preset fuzz >build/configure-fuzz.log 2>&1 || { cat build/configure-fuzz.log >&2; exit 1; }
cmake --build build/fuzz --target fuzz --parallel "$(scripts/jobs.sh)" >build/build-fuzz.log 2>&1 ||
  { tail -30 build/build-fuzz.log >&2; exit 1; }

fuzz=build/fuzz/bin/fuzz
if [[ ${#targets[@]} -eq 0 ]]; then
  read -ra targets <<<"$("$fuzz" --target=? 2>&1 | sed 's/.*there are//')"
fi

# Searches are made in memory where there is a file system for that.
if [[ -z ${TMPDIR:-} && -w /dev/shm ]]; then export TMPDIR=/dev/shm; fi
export ASAN_OPTIONS=allocator_may_return_null=1
for target in "${targets[@]}"; do
  inputs=build/fuzz/inputs/$target
  mkdir -p "$inputs" out/fuzz
  log=build/fuzz/$target.log
  status=0
  "$fuzz" --target="$target" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=2048 -max_len=200000 \
    -artifact_prefix="$PWD/out/fuzz/$target-" -print_final_stats=1 "$inputs" "tests/fuzz/corpus/$target" >"$log" 2>&1 || status=$?
  if [[ $status -ne 0 ]]; then
    grep -E '^(broken|==[0-9]+==ERROR|SUMMARY|.*runtime error)' "$log" | head -5 || tail -20 "$log"
    found=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
    echo "$target: broken; repeat it with $fuzz --target=$target $found"
    exit 1
  fi
  echo "$target: $(sed -n 's/stat::number_of_executed_units: *//p' "$log") inputs in $seconds s, none breaks it"
done
