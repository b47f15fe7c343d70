#!/usr/bin/env bash
# Which tests are about what changed: scripts/changed_suites.sh [COMMIT]
# Prints "PROGRAM SUITE" for each suite of GoogleTest that changed since COMMIT (default: ten commits ago)
# or is changed now, and for those in tests/ROOM/FOLDER/ of each folder with a source that did.
set -euo pipefail
cd "$(dirname "$0")/.."

since=${1:-$(git rev-parse --verify --quiet HEAD~10 || git hash-object -t tree /dev/null)}
git diff --name-only --diff-filter=d "$since" -- '*.cc' '*.h' |
  while read -r path; do
    case $path in
      tests/*_test.cc) echo "$path" ;;
      tests/*) ;;
      *) find "tests/$(dirname "$path")" -maxdepth 1 -name '*_test.cc' 2>/dev/null || true ;;
    esac
  done | sort -u |
  while read -r test; do
    room=${test#tests/}
    [[ $room == */* ]] || continue
    sed -nE "s/^(TEST|TEST_F|TEST_P|TYPED_TEST)\\(([A-Za-z0-9_]+),.*/${room%%/*}_test \\2/p" "$test"
  done | sort -u
