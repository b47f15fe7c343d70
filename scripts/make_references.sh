#!/usr/bin/env bash
# Makes what the leaderboard shows and `compare reference:SEARCHER` compares with, of every searcher that is named, or of
# all that ship: results/searched/SEARCHER.json, a hundred seeds on the suite `standard`, and of ten seeds without the
# baseline results/searched/from-nothing/SEARCHER.json; the time per launch in results/times/searchers.json; and
# docs/leaderboard.md of all of them. All of it takes less than an hour on two cores that do nothing else. Needed after every
# change of physics and of a searcher.
#
# usage: scripts/make_references.sh [SEARCHER...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
program=$(realpath "$build")/bin/cubicbench
seeds=${SEEDS:-100}
seeds_from_nothing=${SEEDS_FROM_NOTHING:-10}

build_program() { cmake --build "$build" --target cubicbench -- -j "$(scripts/jobs.sh)" >/dev/null; }

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
build_program
if [ $# -eq 0 ]; then
  rm -f results/searched/*.json results/searched/from-nothing/*.json
  # Checks of the bench are no rivals, nor is what others found.
  mapfile -t searchers < <("$program" list searchers --json | python3 -c '
import json, sys
for searcher in json.load(sys.stdin)["searchers"]:
    if not searcher["summary"].startswith(("for checks", "with --warm-start")):
        print(searcher["name"])')
else
  searchers=("$@")
fi

# searched SEARCHER START SEEDS FOLDER: frameworks print how much memory a run took, and how much it lacked, so searchers
# are told. References name the folder that they were made of, which is the same wherever this runs.
searched() {
  (cd "$out" && "$program" search --suite standard --searcher "$1" --start "$2" --telling bytes --seeds "$3" --out "out/$1" --quiet >/dev/null)
  (cd "$out" && "$program" export "out/$1" --format reference --out made >/dev/null)
  mv "$out/made/$1.json" "$4/"
  rm -rf "${out:?}/out"
}

TIMEFORMAT='%U %S'
for searcher in "${searchers[@]}"; do
  printf '%4d s  %s\n' "$SECONDS" "$searcher"
  { time searched "$searcher" baseline "$seeds" results/searched 2>&3; } 3>&2 2>"$out/time"
  scripts/launch_times.py "$searcher" "$out/time" "results/searched/$searcher.json" results/times/searchers.json
  searched "$searcher" none "$seeds_from_nothing" results/searched/from-nothing
done
build_program
"$program" leaderboard --markdown docs/leaderboard.md >/dev/null
du -sh --apparent-size results/searched
