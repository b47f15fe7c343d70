#!/usr/bin/env bash
# scripts/check_numeric_bytes.sh: builds the digest of sim/base/numeric.h with g++ and clang++, with and without the
# instructions of this machine (a fused multiply-add among them), and fails unless all print the same.
# The digests are also compared with tests/sim/base/numeric_digest.txt, recorded when the functions were written.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
recorded=tests/sim/base/numeric_digest.txt
sources=(tests/sim/base/numeric_digest.cc sim/base/numeric.cc sim/base/check.cc)

failed=0
compared=0
for compiler in g++ clang++; do
  if ! command -v "$compiler" >/dev/null; then
    echo "$compiler: not installed, skipped"
    continue
  fi
  for flags in "-O2" "-O2 -march=native" "-O0"; do
    # shellcheck disable=SC2086  # flags are words
    "$compiler" -std=c++20 $flags -ffp-contract=off -I. "${sources[@]}" -o "$work/digest"
    "$work/digest" >"$work/digest.txt"
    compared=$((compared + 1))
    if diff "$recorded" "$work/digest.txt"; then
      echo "$compiler $flags: the recorded bytes"
    else
      echo "$compiler $flags: other bytes than $recorded"
      failed=1
    fi
  done
done
if ((compared == 0)); then
  echo "no compiler found"
  exit 1
fi
exit "$failed"
