#!/usr/bin/env bash
# Makes results/searched/SEARCHER.json, what `compare reference:SEARCHER` compares with, of every searcher that is named, or
# of all that ship: a hundred seeds on the suite `standard`.
#
# usage: scripts/make_references.sh [SEARCHER...]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${CUBICBENCH:-build/release/bin/cubicbench}
seeds=${SEEDS:-100}

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
if [ $# -eq 0 ]; then
  mapfile -t searchers < <("$program" list searchers --json |
    python3 -c 'import json, sys; print(*(s["name"] for s in json.load(sys.stdin)["searchers"]), sep="\n")')
else
  searchers=("$@")
fi
for searcher in "${searchers[@]}"; do
  echo "$searcher"
  "$program" search --suite standard --searcher "$searcher" --seeds "$seeds" --out "$out/$searcher" --quiet >/dev/null
  "$program" export "$out/$searcher" --format reference --out results/searched
  rm -rf "${out:?}/$searcher"
done
du -sh results/searched
