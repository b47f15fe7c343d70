#!/usr/bin/env bash
# Runs the command lines of tests/recorded_commands.txt with two programs and compares everything they print and write, to show that a
# change of the code changes no result. JSON, JSON Lines, CSV and exit codes must be equal byte for byte (exit code 1 if not); terminal
# text, Markdown, pages, figures and messages may differ and are listed as "shown differently".
# Usage: scripts/compare_outputs.sh [--show] BIN_BEFORE BIN_AFTER [PATTERN]
#   --show    print the differences, at most 60 lines per file
#   PATTERN   only the command lines whose name matches this regular expression
# KEEP=DIR keeps all outputs, in DIR/before/NAME and DIR/after/NAME; BUT=PATTERN leaves out command lines of which any part matches.
set -euo pipefail
usage() { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
show=0
if [[ ${1-} == --show ]]; then show=1; shift; fi
[[ $# -eq 2 || $# -eq 3 ]] || usage
before=$(realpath -e "$1") || exit 2
after=$(realpath -e "$2") || exit 2
pattern=${3:-.}
cd "$(dirname "$0")/.."
export repository=$PWD LC_ALL=C TZ=UTC
kept=${KEEP:-$(mktemp -d)}
mkdir -p "$kept"
kept=$(realpath "$kept")
[[ -n ${KEEP-} ]] || trap 'rm -rf "$kept"' EXIT

# shellcheck disable=SC2154  # run sets program
cubicbench() { "$program" "$@"; }
export -f cubicbench

# run PROGRAM FOLDER LINE: what LINE prints goes to stdout.json if it asks for JSON, else to stdout.txt.
run() {
  local printed=stdout.txt code=0
  [[ $3 != *--json* ]] || printed=stdout.json
  rm -rf "$2"
  mkdir -p "$2/files"
  (cd "$2/files" && program=$1 exec bash -c "$3") </dev/null >"$2/$printed" 2>"$2/stderr.txt" || code=$?
  echo "$code" >"$2/exit_code"
}

files_of() { (cd "$1" && find . -type f -printf '%P\n'); }

equal=0 shown=0 wrong=0
# compare NAME
compare() {
  local file paths verdict
  paths=$({ files_of "$kept/before/$1"; files_of "$kept/after/$1"; } | sort -u)
  while IFS= read -r file; do
    if cmp -s "$kept/before/$1/$file" "$kept/after/$1/$file"; then
      equal=$((equal + 1))
      continue
    fi
    case $file in
    *.json | *.jsonl | *.csv | exit_code) verdict="must be equal" wrong=$((wrong + 1)) ;;
    *) verdict="shown differently" shown=$((shown + 1)) ;;
    esac
    echo "$verdict: $1: $file"
    [[ $show == 0 ]] || { diff -uN "$kept/before/$1/$file" "$kept/after/$1/$file" || true; } | head -n 60
  done <<<"$paths"
}

lines=0
while IFS= read -r line; do
  name=${line%%: *}
  [[ -n $line && $line != \#* && $name =~ $pattern ]] || continue
  [[ -z ${BUT-} || ! $line =~ $BUT ]] || continue
  lines=$((lines + 1))
  run "$before" "$kept/before/$name" "${line#*: }"
  run "$after" "$kept/after/$name" "${line#*: }"
  compare "$name"
done <tests/recorded_commands.txt
echo "$lines command lines: $equal files are equal, $shown are shown differently, $wrong must be equal and differ"
((lines > 0 && wrong == 0))
