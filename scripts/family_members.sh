#!/usr/bin/env bash
# Draws the members of every family anew and writes scenarios/members/, all that depends on the simulator. Some five
# minutes on two cores.
#   scripts/family_members.sh [PROGRAM] [MEMBERS]      default: build/release/bin/cubicbench 32
# What the optimum of one member is worth in the others goes to standard output, a line a family.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/bin/cubicbench}
members=${2:-32}
mkdir -p scenarios/members

printf '%-16s %7s %7s %10s %10s  %s\n' FAMILY DRAWS RUNS BEST_1_PCT BEST_OF_5 REFUSED
for file in scenarios/families/*.json; do
  name=$(basename "$file" .json)
  # The file, not what the program was built with.
  said=$("$program" family "./$file" --members "$members" --transfer --json --quiet --out "scenarios/members/$name.json")
  printf '%s' "$said" | python3 -c '
import json, sys
said = json.load(sys.stdin)
transfer, refused = said["transfer"], said["refused"]
draws = len(said["members"]) + sum(refused.values())
print("%-16s %7d %6.1f%% %9.1f%% %10.3f  %s" % (said["family"], draws, 100 * transfer["runs"],
      100 * transfer["in_best_1_percent"], transfer["gap_closed_by_best_of_5"],
      ", ".join("%s %d" % item for item in refused.items())))'
done
