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

# Every stack and device of the plans, those that take values over, what all software shares with the devices, and what collectives cost: "stack NAME", each once.
subjects() {
  python3 - "$plans" datasets/measured/laws.json <<'PY'
import json, sys
plans, laws = (json.load(open(path)) for path in sys.argv[1:])
subjects = []
for plan in plans["calibrations"]:
    kind = "device" if "device" in plan else "stack"
    subjects += [f"{kind} {name}" for name in [plan[kind], *plan.get("also", [])]]
subjects += [f"stack {laws['stack']}"]
subjects += [f"device {name}" for constant in laws["constants"] for name in constant.get("devices", [])]
subjects += [f"collectives {plan['name']}" for plan in plans["collectives"]]
print("\n".join(dict.fromkeys(subjects)))
PY
}

build_program
subjects | while read -r kind name; do
  case $kind in stack) folder=stacks ;; device) folder=hardware ;; *) folder=$kind ;; esac
  "$build/bin/cubicbench" calibrate "--$kind" "$name" --out "scenarios/$folder/$name.json"
  build_program
done
