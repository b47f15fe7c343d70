#!/usr/bin/env bash
# From a fresh clone to a first answer: installs what is missing, builds the program, asks it two things.
# A second run takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_deps.sh
mkdir -p build
cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
cmake --build --preset release --target cubicbench --parallel "$(scripts/jobs.sh)"

program=build/release/bin/cubicbench
for arguments in "list scenarios" "simulate llama3-405b"; do
  printf '\n$ %s %s\n' "$program" "$arguments"
  # shellcheck disable=SC2086  # the words are separate arguments
  "$program" $arguments
done
