#!/usr/bin/env bash
# Makes everything of the suites that depends on the simulator anew, in at most an hour on two cores: the members of
# families with their baselines, the certified optimum and the curves of random search of every problem, what portfolio
# remembers, the references of the library, and docs/suite.md and docs/suite-real.md with their scores. Needed after
# every change of physics.
# Usage: scripts/make_suite.sh [SEEDS]      seeds of each searcher; default 10
set -euo pipefail
cd "$(dirname "$0")/.."
seeds=${1:-10}
build=${BUILD:-build/release}
program=$build/bin/cubicbench
suite=scenarios/suites/standard.json
checks=constant,corner,first-value,portfolio:size=1:random=0
searchers=random,evolution,coordinate,local-search,annealing,genetic,differential-evolution,cma-es,reinforce
searchers+=,tpe,tpe-multivariate,forest,constrained-gp,cubicml,hyperband,portfolio
slow=gp,banana,cubicml:paper=1

build_program() { cmake --build "$build" --target cubicbench -- -j "$(scripts/jobs.sh)" >/dev/null; }
step() { printf '%4d s  %s\n' "$SECONDS" "$1"; }

step "the program"
build_program
step "members of families"
scripts/family_members.sh "$program"
build_program

step "optima"
rm -f results/reference/*@*.json
python3 -c 'import json, sys; print(*(p["scenario"] for p in json.load(open(sys.argv[1]))["problems"]), sep="\n")' "$suite" |
  while read -r problem; do
    step "  $problem"
    "$program" enumerate "$problem" --best-of 150 --out "results/reference/$problem.json" --quiet >/dev/null
  done
scripts/portfolio.py "$suite" search/portfolio/standard.json
step "references of the library"
scripts/enumerate_references.sh
build_program

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
rm -rf docs/suite docs/suite-real
# searched SUITE SEARCHERS START
searched() {
  step "searches of $1, from $3"
  # Frameworks print how much memory a run took, and how much it lacked, so searchers are told.
  "$program" search --suite "$1" --searcher "$2" --start "$3" --telling bytes --seeds "$seeds" --out "$out/$1-$3" --quiet >/dev/null
}
searched standard "$searchers,$slow,$checks" baseline
searched standard "$searchers" none
"$program" suite standard --searched "$out/standard-baseline" --without-start "$out/standard-none" --markdown docs/suite.md >/dev/null
searched real random,evolution,coordinate,local-search,constrained-gp,cubicml none
"$program" suite real --searched "$out/real-none" --markdown docs/suite-real.md >/dev/null
step "done"
