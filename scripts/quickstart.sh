#!/usr/bin/env bash
# From a fresh clone to every figure of the paper: scripts/quickstart.sh [OPTION of `cubicbench paper`]...
# Installs what is missing, builds the program without its tests, draws the figures and names the page to open. Says
# beforehand what takes how long, and every few seconds how far it is. Interrupted, it goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/watched.sh

# Where there is no apt-get this names the packages, and ends here unless all is there.
missing=$(scripts/install_deps.sh --program --missing)

program=build/release/bin/cubicbench
jobs=$(scripts/jobs.sh)

# What a loop takes here, in hundredths of the 180 ms that it took where the seconds below were measured.
slowness() {
  local begin=${EPOCHREALTIME/[.,]/}
  for ((i = 0; i < 100000; ++i)); do :; done
  echo $(((${EPOCHREALTIME/[.,]/} - begin) / 1800))
}
slow=$(slowness)

# about CPU_SECONDS WORKERS
about() {
  echo "about $(seconds_text $(($1 * slow / 100 / $2 + 1)))"
}

echo "Every figure of the paper, from a simulated cluster, on $jobs cores:"
if [[ -n $missing ]]; then
  echo "  1. packages  installs $(wc -w <<<"$missing") from Debian, about a minute"
else
  echo "  1. packages  all there"
fi
if [[ -x $program ]]; then
  echo "  2. program   there, brought up to date where its sources changed"
else
  echo "  2. program   compiles it, $(about 1000 "$jobs")"
fi
echo "  3. figures   \`cubicbench paper\`, $(about 105 "$jobs") the first time, then seconds"
echo

echo "1. packages"
scripts/install_deps.sh --program
echo "2. program"
mkdir -p build
[[ -f build/release/build.ninja ]] || watched build/configure.log cmake --preset program
watched build/program.log cmake --build build/release --target cubicbench --parallel "$jobs"
echo "3. figures"
$program paper "$@"
cat <<END

Three things to try, with \`export PATH=\$PWD/build/release/bin:\$PATH\`:
  cubicbench simulate llama3-405b --explain-words        # one step of training, and what each line means
  cubicbench list parameters llama3-405b                 # the knobs; change one with --set NAME=VALUE
  cubicbench search llama3-405b --searcher random,evolution,cubicml --out out/mine
END
