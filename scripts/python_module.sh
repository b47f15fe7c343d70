#!/usr/bin/env bash
# Builds the program and the Python module by the preset `python`, installs the module into the build folder, and prints the
# folder that belongs on PYTHONPATH. How far the build is goes to standard error, what it says to build/python-module.log.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/watched.sh
mkdir -p build
log=build/python-module.log
{
  watched "$log" cmake --preset python
  watched "$log" cmake --build --preset python --parallel "$(scripts/jobs.sh)" --target cubicbench _cubicbench
  watched "$log" cmake --install build/python --component python --prefix build/python/stage
} >&2
dirname "$PWD"/build/python/stage/lib/python3.*/site-packages/cubicbench
