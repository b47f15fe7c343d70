#!/usr/bin/env bash
# Builds the explorer, the simulator as a page of the browser, into a folder that any static host serves: scripts/web.sh [FOLDER]
# (default: build/web/site). The folder has one file, index.html, which also opens from the file system and requests nothing.
# Needs emscripten, node and zopfli (scripts/install_deps.sh --full). The program itself is built, too: what the page cannot compute for
# want of XGBoost, or only slowly, it answers with what the program says here (web/recorded.txt).
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/watched.sh
[[ $# -le 1 ]] || { echo "usage: scripts/web.sh [FOLDER]" >&2; exit 2; }
site=${1:-build/web/site}

for tool in emcmake node zopfli; do
  command -v "$tool" >/dev/null && continue
  echo "web.sh: $tool is missing; scripts/install_deps.sh --full installs what the page needs (Debian's emscripten, nodejs and zopfli)" >&2
  exit 3
done

# A node that is not Debian's looks for Debian's modules, which emscripten uses, only where it is told.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
mkdir -p build/web
jobs=$(scripts/jobs.sh)
echo "building the program"
watched build/web/program.log cmake --preset release
watched build/web/program.log cmake --build --preset release --parallel "$jobs" --target cubicbench
echo "building the engine (WebAssembly)"
watched build/web/configure.log emcmake cmake -S . -B build/web -G Ninja -DCMAKE_BUILD_TYPE=Release
watched build/web/engine.log cmake --build build/web --parallel "$jobs" --target engine
echo "recording what the program answers"
node web/record.mjs build/release/bin/cubicbench build/web/engine.js >build/web/engine-with-answers.js
node web/page/bundle.mjs --engine build/web/engine-with-answers.js --out "$site"
echo "open $site/index.html in a browser"
