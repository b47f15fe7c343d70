#!/usr/bin/env bash
# The same bytes wherever it runs: scripts/same_bytes.sh [PATTERN [VARIATION...]]
# Runs the command lines of tests/recorded_commands.txt whose name matches PATTERN (default: all) with the release program, and
# again in each variation, and compares what they print and write (scripts/compare_outputs.sh):
#   german, turkish    in that locale, which is made here, with a folder of its language's letters as home
#   posix, far-away    in locale POSIX with a umask of 077; at UTC+05:45 with a umask of 000
#   wild-clock         while the time of day jumps by years, to and fro
#   old-machine        on an x86-64 of 2008 without AVX (Debian: qemu-user)
#   debug, clang       built by g++ -O0; by clang++ -O2
#   libc++             built by clang++-16 -O1 with LLVM's standard library (Debian: clang-16 libc++-16-dev libc++abi-16-dev)
#   aarch64            built for 64-bit Arm (Debian: g++-aarch64-linux-gnu qemu-user); its libraries are downloaded. Command lines
#                      that train models are left out (docs/testing.md)
# Default: all. What is not installed is said and skipped. Programs are built below build/bytes/.
set -euo pipefail
cd "$(dirname "$0")/.."

pattern=${1:-.}
variations=("${@:2}")
[[ ${#variations[@]} -gt 0 ]] || variations=(german turkish posix far-away wild-clock old-machine debug clang libc++ aarch64)
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

# with_wild_clock: likewise, where the time of day is any at each look.
with_wild_clock() {
  cat >"$work/clock.c" <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jump(void) {
  static unsigned looks;
  return (long)(__sync_fetch_and_add(&looks, 1) * 2654435761u % 400) * 10000000 - 2000000000;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  const int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && clock == CLOCK_REALTIME) now->tv_sec += jump();
  return failed;
}
int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  now->tv_sec = 1800000000 + jump();
  now->tv_usec = 0;
  return 0;
}
time_t time(time_t *to) {
  const time_t now = 1800000000 + jump();
  if (to) *to = now;
  return now;
}
C
  cc -shared -fPIC -O1 -o "$work/clock.so" "$work/clock.c"
  wrapped wild-clock "exec env LD_PRELOAD=$work/clock.so $release"
}

# built NAME OPTION...: the program built with these options of CMake.
built() {
  local folder=build/bytes/$1
  mkdir -p build/bytes
  {
    cmake -S . -B "$folder" -G Ninja -DBUILD_TESTING=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON "${@:2}"
    cmake --build "$folder" --parallel "$(scripts/jobs.sh)"
  } >"build/bytes/$1.log" 2>&1 || { tail -30 "build/bytes/$1.log" >&2; return 2; }
  echo "$PWD/$folder/bin/cubicbench"
}

# for_aarch64: likewise, by Debian's cross compiler, for a processor that qemu plays.
for_aarch64() {
  command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null || return 1
  local root=$PWD/build/bytes/aarch64-root program
  local libraries=$root/usr/lib/aarch64-linux-gnu
  scripts/aarch64_root.sh "$root" >build/bytes/aarch64-root.log 2>&1 || return 1
  program=$(built aarch64 -DCMAKE_BUILD_TYPE=Release -DCMAKE_DISABLE_PRECOMPILE_HEADERS=OFF -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath-link,$libraries" \
    "-DTBB_DIR=$libraries/cmake/TBB" "-DXGBOOST_LIBRARY=$libraries/libxgboost.so") || return 2
  wrapped aarch64 "exec qemu-aarch64 -L $root $program"
}

# program_of VARIATION: its path; 1 where it needs what is not installed.
program_of() {
  case $1 in
    german) in_locale de_DE ;;
    turkish) in_locale tr_TR ;;
    posix) wrapped posix "umask 077; LC_ALL=POSIX exec $release" ;;
    far-away) wrapped far-away "umask 000; TZ=Asia/Kathmandu exec $release" ;;
    wild-clock) with_wild_clock ;;
    debug) built debug -DCMAKE_BUILD_TYPE=Debug ;;
    clang) command -v clang++ >/dev/null && built clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS=-O2 ;;
    libc++)
      command -v clang++-16 >/dev/null &&
        built libc++ -DCMAKE_CXX_COMPILER=clang++-16 "-DCMAKE_CXX_FLAGS=-O1 -stdlib=libc++"
      ;;
    old-machine) command -v qemu-x86_64 >/dev/null && wrapped old-machine "exec qemu-x86_64 -cpu core2duo $release" ;;
    aarch64) for_aarch64 ;;
    *) echo "no variation of this name: $1" >&2; return 2 ;;
  esac
}

# What is in a command line that trains models.
trains='paper=1|cubicbench (paper|predict|calibrate) '

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
  but=
  [[ $variation != aarch64 ]] || but=$trains
  BUT=$but scripts/compare_outputs.sh "$release" "$program" "$pattern" || failed=1
done
exit $failed
