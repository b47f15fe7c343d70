#!/usr/bin/env bash
# From a fresh clone to every figure of the paper: installs what is missing, builds the program, runs
# `cubicbench paper` and names the page to open. A second run takes seconds; an interrupted one goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_deps.sh
mkdir -p build
cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log >&2; exit 1; }
cmake --build --preset release --target cubicbench --parallel "$(scripts/jobs.sh)"

printf '\n$ build/release/bin/cubicbench paper\n'
exec build/release/bin/cubicbench paper "$@"
