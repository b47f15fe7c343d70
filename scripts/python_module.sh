#!/usr/bin/env bash
# Builds the program and the Python module by the preset `python`, installs the module into the build folder, and prints the
# folder that belongs on PYTHONPATH. What the build says goes to build/python-module.log.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
{
  cmake --preset python
  cmake --build --preset python --parallel "$(scripts/jobs.sh)" --target cubicbench _cubicbench
  cmake --install build/python --component python --prefix build/python/stage
} >build/python-module.log 2>&1 || { cat build/python-module.log >&2; exit 1; }
dirname "$PWD"/build/python/stage/lib/python3.*/site-packages/cubicbench
