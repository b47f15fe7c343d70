#!/usr/bin/env bash
# Makes the references of results/reference/ anew: what is known of the spaces of scenarios that are too large for a report to value them
# itself (docs/regret.md). Needed whenever the truth changes; until then reports show no regret of these scenarios. Takes minutes a
# scenario of 10^8 configurations, for ads-73b (1.1 * 10^9) about ten on two cores. The program is built before and, with the references in it, after.
# Random search is computed exactly to 300 launches, as far as README and the campaigns search.
# Usage: scripts/enumerate_references.sh [NAME...]   (default: all of the list below; BUILD=build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}

# What the campaigns search, then what is large enough to need a reference and small enough to be valued whole in minutes.
# A file is about 100 kB, so not every scenario has one.
scenarios=(llama3-8b llama3-70b llama3-405b mixtral-8x7b dlrm-dcnv2 ads-73b)
if [ $# -gt 0 ]; then scenarios=("$@"); fi

build_program() { cmake --build "$build" --target cubicbench -- -j "$(scripts/jobs.sh)" >/dev/null; }

build_program
mkdir -p results/reference
for name in "${scenarios[@]}"; do
  echo "$name"
  "$build/bin/cubicbench" enumerate "$name" --all --best-of 300 --out "results/reference/$name.json" --quiet
done
build_program
