#!/usr/bin/env bash
# Builds the site of all pages into a folder that any static host serves: scripts/docs.sh [FOLDER] (default: build/docs)
# It also opens from the file system (FOLDER/index.html), search included, and requests nothing from elsewhere. The explorer is in it
# if scripts/web.sh has built it (build/web/site/index.html). Needs Debian's mkdocs (scripts/install_deps.sh --full).
# Fails where mkdocs warns, where a link leads nowhere, and where a page is missing in docs/README.md, the navigation.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $# -le 1 && ${1:-} != -* ]] || { echo "usage: scripts/docs.sh [FOLDER]" >&2; exit 2; }
site=$(realpath -m "${1:-build/docs}")

command -v mkdocs >/dev/null || {
  echo "docs.sh: mkdocs is missing; scripts/install_deps.sh --full installs it" >&2
  exit 3
}
python=python3
[[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3
"$python" -B scripts/site/sources.py build/docs-source build/web/site/index.html
PYTHONDONTWRITEBYTECODE=1 mkdocs --quiet build --clean --strict --site-dir "$site"
"$python" -B scripts/site/check.py "$site"
echo "open $site/index.html in a browser"
