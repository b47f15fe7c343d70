#!/usr/bin/env bash
# Makes everything of the suites that depends on the simulator anew, in at most an hour on two cores: the members of
# families with their baselines, the certified optimum and the curves of random search of every problem, what portfolio
# remembers, the references of the library, and docs/suite.md with its scores. Needed after every change of physics.
# Usage: scripts/make_suite.sh [SEEDS]      seeds of each searcher in docs/suite.md; default 30
set -euo pipefail
cd "$(dirname "$0")/.."
seeds=${1:-30}
build=${BUILD:-build/release}
program=$build/bin/cubicbench
suite=scenarios/suites/standard.json
searchers=random,evolution,coordinate,local-search,cubicml,portfolio,portfolio:size=1

build_program() { cmake --build "$build" --target cubicbench -- -j "$(scripts/jobs.sh)" >/dev/null; }
step() { printf '%4d s  %s\n' "$SECONDS" "$1"; }

step "the program"
build_program
step "members of families"
scripts/family_members.sh "$program"
build_program

step "optima"
python3 -c 'import json, sys; print(*(p["scenario"] for p in json.load(open(sys.argv[1]))["problems"]), sep="\n")' "$suite" |
  while read -r problem; do
    step "  $problem"
    "$program" enumerate "$problem" --best-of 150 --out "results/reference/$problem.json" --quiet >/dev/null
  done
scripts/portfolio.py "$suite" search/portfolio/standard.json
scripts/enumerate_references.sh

step "searches"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$program" search --suite standard --searcher "$searchers" --seeds "$seeds" --out "$out/standard" --quiet
"$program" search --suite standard --searcher "$searchers" --seeds "$seeds" --start none --out "$out/none" --quiet
"$program" suite standard --searched "$out/standard" --without-start "$out/none" --markdown docs/suite.md >/dev/null
step "done"
