#!/usr/bin/env bash
# scripts/test.sh                    builds the release preset and runs the quick tests
# scripts/test.sh --full [STAGE...]  runs the named stages, or all of them; STAGE=ROOM what of it is about a folder (dev,
#                                    asan-ubsan, tsan, tidy), a target (fuzz) or a variation (bytes):
#   quick       the same as without --full
#   dev         Debug build and all tests
#   asan-ubsan  all tests under the address and undefined-behaviour sanitizers
#   tsan        under the thread sanitizer the tests of all rooms but sim/ and scenarios/, which have no threads
#   changed     under both sanitizers the tests of what changed in the last ten commits
#   numeric     ten million arguments a function against long double; the same bytes from other compilers
#   events      ten thousand random networks against a textbook's max-min shares; both engines on a thousand
#               random configurations a scenario
#   explained   what explain says of a thousand random plans of eight scenarios against simulate and brute force
#   bugs        compare calls eleven searchers with deliberate bugs worse and two rewrites not worse, as docs/compare.md says
#   docs        docs/validation.md is what the program writes, with what each term of a step is worth; tables have the
#               numbers that slow commands print
#   reference   documents meet their schemas, and docs/reference is what the program and the schemas say
#   python      the Python module and clients: pytest, what Python adds to a launch
#   tidy        clang-tidy over every library
#   fuzz        hostile input, five minutes a target (CUBICBENCH_FUZZ_SECONDS)
#   faults      each system call of nine small commands fails once; a thousand kills
#   bytes       the same bytes in other locales, from other compilers, on older machines and on Arm
#   slurm       60 launches on a real Slurm of one node, whose parts and whose suite are killed
#   many-machines  1,000 shards of which 50 are killed merge to the bytes of one process, on a stand-in and on a real Slurm
#   web         the page: its engine gives the bytes of the program on a thousand configurations, and a browser plays all of it
#   site        the pages as a site: mkdocs warns of nothing, no link is dead, what pages quote is up to date
#   torch       42 real training jobs on the CPUs, some of which run out of memory, as docs/torch-cpu.md has them
#   coverage    which lines and branches the quick tests run
#   mutants     of 200 faults that are planted at random the quick tests notice nine tenths
#   package     the .deb runs `paper` in a bare Debian, and a C++ program finds the libraries of the other one
#   wheel       the wheel of the Python module in a bare Debian
#   bench       microbenchmarks; fails below the bars of docs/performance.md, by ratios to a fixed loop of the same run
# Stops at the first stage that fails, with a non-zero exit code, and prints what each stage took.
set -euo pipefail
cd "$(dirname "$0")/.."

all_stages=(quick dev asan-ubsan tsan changed numeric events explained bugs docs reference python tidy fuzz faults bytes slurm many-machines web site torch coverage mutants package wheel bench)
usage() {
  echo "usage: scripts/test.sh [--full [STAGE...]]   stages: ${all_stages[*]}" >&2
  exit 2
}

jobs=$(scripts/jobs.sh)

# configure PRESET: quiet unless it fails.
configure() {
  mkdir -p build
  cmake --preset "$1" >"build/configure-$1.log" 2>&1 || { cat "build/configure-$1.log" >&2; return 1; }
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset"
  cmake --build --preset "$preset" --parallel "$jobs" ${*:+--target "$@"}
}

# run_ctest PRESET [OPTION...]: prints failures and the summary.
run_ctest() {
  ctest --preset "$1" --parallel "$jobs" "${@:2}" | grep -vE '^ +Start |[.] +Passed '
}

stage_quick() {
  build release
  run_ctest release -L quick
}
# run_tests PRESET [PROGRAM...]: builds these test programs, or everything, and runs their cases.
run_tests() {
  build "$@"
  run_ctest "$1" -R "^($(IFS='|' && echo "${*:2}"))"
}
stage_dev() { run_tests dev ${1:+"$1_test"}; }
stage_asan_ubsan() { run_tests asan-ubsan ${1:+"$1_test"}; }
stage_tsan() {
  local rooms=(support datasets predictor search results cli integration)
  [[ -z $1 ]] || rooms=("$1")
  run_tests tsan "${rooms[@]/%/_test}"
}
stage_changed() {
  local preset suites programs
  for preset in asan-ubsan tsan; do
    suites=$(scripts/changed_suites.sh)
    # sim/ and scenarios/ have no threads.
    [[ $preset != tsan ]] || suites=$(grep -vE '^(sim|scenarios)_test ' <<<"$suites" || true)
    [[ -n $suites ]] || continue
    mapfile -t programs < <(cut -d ' ' -f 1 <<<"$suites" | sort -u)
    build "$preset" "${programs[@]}"
    run_ctest "$preset" -R "^($(sed -E 's,(.*) (.*),\1[.](.*/)?\2[./],' <<<"$suites" | paste -sd '|'))"
  done
}
stage_numeric() {
  build release sim_test
  CUBICBENCH_NUMERIC_ARGUMENTS=10000000 build/release/bin/sim_test --gtest_filter='*Numeric*' --gtest_brief=1
  scripts/check_numeric_bytes.sh
}
stage_events() {
  build release sim_test scenarios_test
  CUBICBENCH_SHARING_NETWORKS=10000 build/release/bin/sim_test --gtest_filter='*LinkSharing*' --gtest_brief=1
  CUBICBENCH_AGREEMENT_CONFIGURATIONS=1000 build/release/bin/scenarios_test --gtest_filter='*Agreement*' --gtest_brief=1
}
stage_explained() {
  build release datasets_test results_test
  CUBICBENCH_AGREEMENT_CONFIGURATIONS=1000 build/release/bin/results_test --gtest_filter='*Explained*' --gtest_brief=1
  CUBICBENCH_AGREEMENT_CONFIGURATIONS=100 build/release/bin/datasets_test --gtest_filter='WhatIf.*' --gtest_brief=1
}
stage_bugs() {
  build release bugs_test
  CUBICBENCH_BUGS=1 build/release/bin/bugs_test --gtest_brief=1
}
stage_docs() {
  build release integration_test
  CUBICBENCH_ABLATION=1 CUBICBENCH_SLOW_TABLES=1 build/release/bin/integration_test --gtest_filter='ValidationDocs.*:PrintedTables.*' --gtest_brief=1
}
stage_reference() {
  build release cubicbench
  /usr/bin/python3 -B -m pytest -q -W ignore::DeprecationWarning tests/schemas
  scripts/reference.py build/release/bin/cubicbench --check
}
stage_python() {
  local folder
  folder=$(scripts/python_module.sh)
  PYTHONPATH=$folder CUBICBENCH_BUILD=$PWD/build/python /usr/bin/python3 -B -m pytest -q
  PYTHONPATH=$folder /usr/bin/python3 -B python/tests/overhead.py --check
}
stage_tidy() {
  local rooms=(sim support scenarios datasets predictor search results cli)
  [[ -z $1 ]] || rooms=("$1")
  configure tidy
  find "${rooms[@]}" -name '*.cc' -print0 | sort -z |
    xargs -0 -n 1 -P "$jobs" clang-tidy -p build/tidy --quiet 2>build/tidy/clang-tidy.log || {
    grep -v 'warnings generated' build/tidy/clang-tidy.log >&2
    return 1
  }
}
stage_fuzz() { scripts/fuzz.sh "${CUBICBENCH_FUZZ_SECONDS:-300}" ${1:+"$1"}; }
stage_faults() {
  build release cubicbench
  scripts/inject_faults.py search serve merge enumerate report validate export verify
  scripts/inject_faults.py --every 997 paper
  scripts/inject_faults.py --kills 1000 search serve merge enumerate report validate export verify
}
stage_bytes() {
  build release cubicbench
  scripts/same_bytes.sh . ${1:+"$1"}
}
stage_slurm() {
  build release cubicbench
  scripts/slurm_stage.py
}
stage_many_machines() {
  build release cubicbench
  scripts/many_machines_stage.py
}
stage_web() {
  scripts/web.sh
  node tests/web/same_bytes.mjs build/web/site/index.html build/release/bin/cubicbench
  node tests/web/play.mjs build/web/site/index.html
}
stage_site() {
  scripts/quote.py --check
  scripts/docs.sh
}
stage_torch() {
  build release cubicbench
  scripts/torch_stage.py
}
stage_coverage() { scripts/coverage.sh; }
stage_mutants() {
  build release
  /usr/bin/python3 -B tests/mutants/run.py
}
stage_package() { scripts/package.sh --prove; }
stage_wheel() { scripts/package.sh --wheel; }
stage_bench() {
  /usr/bin/python3 -B -m pytest -q tests/performance
  build release cubicbench_bench
  local out=build/release/bench.json
  build/release/bin/cubicbench_bench --benchmark_out="$out" --benchmark_out_format=json
  scripts/bench_bars.py "$out"
}

times=()
status=0
# run_stage STAGE: sets status. Call it on its own, never in a condition: bash would drop "set -e" inside.
run_stage() {
  local stage=${1%%=*} part='' begin=$SECONDS verdict=passed
  [[ $1 != *=* ]] || part=${1#*=}
  printf '\n=== %s\n' "$1"
  set +e
  (set -e; "stage_${stage//-/_}" "$part")
  status=$?
  set -e
  [[ $status -eq 0 ]] || verdict=FAILED
  times+=("$(printf '%-22s %5d s  %s' "$1" $((SECONDS - begin)) "$verdict")")
}

stages=(quick)
if [[ $# -gt 0 ]]; then
  [[ $1 == --full ]] || usage
  shift
  stages=("$@")
  [[ $# -gt 0 ]] || stages=("${all_stages[@]}")
  for stage in "${stages[@]}"; do
    [[ " ${all_stages[*]} " == *" ${stage%%=*} "* && ($stage != *=* || $stage =~ ^(dev|asan-ubsan|tsan|tidy|fuzz|bytes)=[a-z0-9+-]+$) ]] || usage
  done
  scripts/install_deps.sh --full
else
  scripts/install_deps.sh
fi

for stage in "${stages[@]}"; do
  run_stage "$stage"
  [[ $status -eq 0 ]] || break
done
printf '\n'
printf '%s\n' "${times[@]}"
exit "$((status != 0))"
