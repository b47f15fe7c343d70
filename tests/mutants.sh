#!/usr/bin/env bash
# Do the tests notice a fault? Plants the faults of tests/mutants.txt one after the other, builds the test program that is named
# there in the folder of the preset release, and runs the named tests: one of them must fail. Prints a line a fault; exit code 1
# when one survived. Usage: tests/mutants.sh [PATTERN]   (only faults whose line matches)
# A line of the file: source, text that stands in it once, what is put in its place, room of the tests, their filter; tabs between.
set -euo pipefail
cd "$(dirname "$0")/.."
pattern=${1:-.}
total=0
survived=0
source=""
restore() { [[ -z $source ]] || git checkout -q -- "$source"; }
trap restore EXIT

while IFS=$'\t' read -r source from to room filter; do
  git diff --quiet -- "$source" || { echo "$source has changes of yours" >&2; source=""; exit 2; }
  [[ $(grep -cF -- "$from" "$source") -eq 1 ]] || { echo "$source: \"$from\" stands there not once" >&2; exit 2; }
  FROM=$from TO=$to perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$source"
  total=$((total + 1))
  verdict=killed
  if ! cmake --build build/release --target "${room}_test" >build/mutant.log 2>&1; then
    verdict="does not compile"
  elif (timeout 300 "build/release/bin/${room}_test" --gtest_brief=1 --gtest_filter="$filter") >build/mutant.log 2>&1; then
    verdict=SURVIVED
    survived=$((survived + 1))
  fi
  echo "$verdict: $source: $from -> $to"
  git checkout -q -- "$source"
done < <(grep -E -- "$pattern" tests/mutants.txt)
source=""
echo "$((total - survived)) of $total noticed"
[[ $survived -eq 0 ]]
