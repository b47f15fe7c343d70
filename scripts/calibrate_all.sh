#!/usr/bin/env bash
# Fits every constant of datasets/measured/calibrations.json again, in the order of that file, and writes the files of scenarios/.
# A fit starts from what ships, so the program is built again after each; where constants of a device and of a stack are fitted to the
# same runs, a second pass shows whether they have settled.
# Usage: scripts/calibrate_all.sh [BUILD_FOLDER]   (default: build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
plans=datasets/measured/calibrations.json

build_program() { cmake --build "$build" --target cubicbench -- -j "$(scripts/jobs.sh)" >/dev/null; }

# Every stack and device of the plans, and those that take values over: "stack NAME", each once.
subjects() {
  python3 - "$plans" <<'PY'
import json, sys
subjects = []
for plan in json.load(open(sys.argv[1]))["calibrations"]:
    kind = "device" if "device" in plan else "stack"
    subjects += [f"{kind} {name}" for name in [plan[kind], *plan.get("also", [])]]
print("\n".join(dict.fromkeys(subjects)))
PY
}

build_program
subjects | while read -r kind name; do
  folder=$([[ $kind == stack ]] && echo stacks || echo hardware)
  "$build/bin/cubicbench" calibrate "--$kind" "$name" --out "scenarios/$folder/$name.json"
  build_program
done
