#!/usr/bin/env bash
# Fits every constant of datasets/measured/calibrations.json again and writes the files of scenarios/, devices before stacks.
# The program knows what it was built with, so it is built again after the devices, and once more at the end.
# Usage: scripts/calibrate_all.sh [BUILD_FOLDER]   (default: build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
plans=datasets/measured/calibrations.json

build_program() { cmake --build "$build" --target cubicbench -- -j "$(scripts/jobs.sh)" >/dev/null; }

# names_of KEY: the stacks or devices of all plans, those that take values over too, each once, in the file's order.
names_of() {
  python3 - "$plans" "$1" <<'PY'
import json, sys
plans, key = json.load(open(sys.argv[1]))["calibrations"], sys.argv[2]
owners = [name for plan in plans if key in plan for name in [plan[key], *plan.get("also", [])]]
print("\n".join(dict.fromkeys(owners)))
PY
}

build_program
for device in $(names_of device); do
  "$build/bin/cubicbench" calibrate --device "$device" --out "scenarios/hardware/$device.json"
done
build_program
for stack in $(names_of stack); do
  "$build/bin/cubicbench" calibrate --stack "$stack" --out "scenarios/stacks/$stack.json"
done
build_program
