#!/usr/bin/env bash
# Which lines and branches the quick tests run: scripts/coverage.sh
# Builds the preset `coverage` (gcc's --coverage), runs the quick tests but those of tests/integration/ and prints a table of
# folders, in Markdown; the same by file is in build/coverage/files.json. Branches that only an exception takes, and those of assertions, which no test can take, are
# not counted. Exit code 1 when less than 93 % of the lines or 80 % of the branches outside cli/ ran. Needs Debian's gcovr.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=$(scripts/jobs.sh)
mkdir -p build
cmake --preset coverage >build/configure-coverage.log 2>&1 || { cat build/configure-coverage.log >&2; exit 1; }
cmake --build build/coverage --parallel "$jobs" >build/build-coverage.log 2>&1 ||
  { tail -30 build/build-coverage.log >&2; exit 1; }
find build/coverage -name '*.gcda' -delete
# A process of every case would spend a second each on adding up what all sources ran: programs run whole, in four parts.
status=0
for program in build/coverage/bin/*_test; do
  # Where counters are kept in step among threads, whole commands take ten times as long.
  [[ $program != */integration_test ]] || continue
  for part in 0 1 2 3; do printf '%s %s\n' "$program" "$part"; done
done | xargs -P "$jobs" -L 1 bash -c 'GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$1 "$0" --gtest_brief=1' \
  >build/coverage/tests.log 2>&1 || status=1
[[ $status -eq 0 ]] || tail -30 build/coverage/tests.log >&2

rooms=(sim support scenarios datasets predictor search results cli)
gcovr --root . --object-directory build/coverage -j "$jobs" "${rooms[@]/#/--filter=}" \
  --exclude-throw-branches --exclude-unreachable-branches --exclude-branches-by-pattern '.*SIM_ASSERT.*' \
  --json-summary build/coverage/files.json build/coverage >build/coverage/gcovr.log 2>&1 ||
  { tail -30 build/coverage/gcovr.log >&2; exit 1; }

python3 - build/coverage/files.json "${rooms[@]}" <<'PYTHON' || status=1
import json
import sys

rooms = sys.argv[2:]
with open(sys.argv[1]) as file:
    files = json.load(file)["files"]


def share(some, kind):
    """Percent of lines or branches that ran, of these files."""
    ran, there = (sum(file[f"{kind}_{what}"] for file in some) for what in ("covered", "total"))
    return 100 * ran / there, there


print("| folder | lines | run | branches | run |\n|---|--:|--:|--:|--:|")
for room in [*rooms, "all but cli"]:
    some = [f for f in files if f["filename"].split("/")[0] == room or room == "all but cli" and not f["filename"].startswith("cli/")]
    (lines, line_count), (branches, branch_count) = share(some, "line"), share(some, "branch")
    print(f"| {room} | {line_count:,} | {lines:.1f} % | {branch_count:,} | {branches:.1f} % |")
sys.exit(lines < 93 or branches < 80)
PYTHON
exit $status
