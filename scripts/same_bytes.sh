#!/usr/bin/env bash
# The same bytes wherever it runs: scripts/same_bytes.sh [PATTERN [VARIATION...]]
# Runs the command lines of tests/recorded_commands.txt whose name matches PATTERN (default: all) with the release program, and
# again in each variation, and compares what they print and write (scripts/compare_outputs.sh):
#   german, turkish    in that locale, which is made here, with a folder of its language's letters as home
#   posix, far-away    in locale POSIX with a umask of 077; at UTC+05:45 with a umask of 000
#   old-machine        on an x86-64 of 2008 without AVX (Debian: qemu-user)
# Default: all. What is not installed is said and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

pattern=${1:-.}
variations=("${@:2}")
[[ ${#variations[@]} -gt 0 ]] || variations=(german turkish posix far-away old-machine)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
release=$PWD/build/release/bin/cubicbench

# wrapped NAME LINE: a program NAME that is the release program, started by LINE.
wrapped() {
  printf '#!/usr/bin/env bash\n%s "$@"\n' "$2" >"$work/$1"
  chmod +x "$work/$1"
  echo "$work/$1"
}

# in_locale LANGUAGE: likewise, in a locale that is really there.
in_locale() {
  command -v localedef >/dev/null && [[ -d /usr/share/i18n/locales ]] || return 1
  mkdir -p "$work/locales" "$work/évğı"
  localedef -i "$1" -f UTF-8 "$work/locales/$1.UTF-8" 2>/dev/null || true
  [[ -d $work/locales/$1.UTF-8 ]] || return 1
  wrapped "$1" "exec env LOCPATH=$work/locales LC_ALL=$1.UTF-8 LANG=$1.UTF-8 HOME=$work/évğı $release"
}

# program_of VARIATION: its path; 1 where it needs what is not installed.
program_of() {
  case $1 in
    german) in_locale de_DE ;;
    turkish) in_locale tr_TR ;;
    posix) wrapped posix "umask 077; LC_ALL=POSIX exec $release" ;;
    far-away) wrapped far-away "umask 000; TZ=Asia/Kathmandu exec $release" ;;
    old-machine) command -v qemu-x86_64 >/dev/null && wrapped old-machine "exec qemu-x86_64 -cpu core2duo $release" ;;
    *) echo "no variation of this name: $1" >&2; return 2 ;;
  esac
}

failed=0
for variation in "${variations[@]}"; do
  status=0
  program=$(program_of "$variation") || status=$?
  case $status in
    0) ;;
    1) echo "$variation: what it needs is not installed, skipped"; continue ;;
    *) exit "$status" ;;
  esac
  echo "$variation:"
  scripts/compare_outputs.sh "$release" "$program" "$pattern" || failed=1
done
exit $failed
