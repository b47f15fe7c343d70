#!/usr/bin/env bash
# Makes docs/tutorials/optuna-and-failures.md and its figure, in about four minutes: scripts/optuna_failures.sh [SEEDS]
# Needs what scripts/install_deps.sh --full installs.
set -euo pipefail
cd "$(dirname "$0")/.."
seeds=${1:-10}
page=docs/tutorials/optuna-and-failures
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

PYTHONPATH=$(scripts/python_module.sh)
export PYTHONPATH
/usr/bin/python3 -B scripts/optuna_failures.py search "$out" "$seeds"
build/python/bin/cubicbench report "$out"/{random,fail,drop,worst,penalty,constraint} --out "$out/page.html" --json >"$out/report.json"
build/python/bin/cubicbench report "$out"/{random,fail,worst,penalty} --out "$out/figure.html" >/dev/null
/usr/bin/python3 -B scripts/optuna_failures.py page "$out/report.json" >"$out/page.md"
cp "$out/page.md" "$page.md"
cp "$out/figure.llama3-8b.svg" "$page.svg"
