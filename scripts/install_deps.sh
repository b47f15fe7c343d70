#!/usr/bin/env bash
# Installs what the build needs, from Debian 12's own packages: scripts/install_deps.sh [--program | --full] [--missing]
#   --program  what the program alone needs, without its tests.
#   --full     also what scripts/test.sh --full needs (other compilers, clang-tidy, sanitizer runtimes, gcovr, Python and its optimisers).
#   --missing  prints what is missing and installs nothing.
# The only script that installs anything. Needs root or sudo, and nothing at all when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/watched.sh

packages=(g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libtbb-dev libeigen3-dev libxgboost-dev gnuplot-nox)
tests=(ccache libbenchmark-dev libgtest-dev libgmock-dev clang-format)
full=(clang clang-tidy libclang-rt-14-dev strace locales gcovr python3-clang-14 clang-16 libc++-16-dev libc++abi-16-dev
      qemu-user g++-aarch64-linux-gnu
      pybind11-dev python3-dev python3-venv python3-pytest python3-jsonschema python3-numpy python3-optuna python3-scipy python3-sklearn python3-torch slurm-wlm munge)
only_missing=false
with=("${tests[@]}")
for option in "$@"; do
  case $option in
    --program) with=() ;;
    --full) with=("${tests[@]}" "${full[@]}") ;;
    --missing) only_missing=true ;;
    *) echo "usage: scripts/install_deps.sh [--program | --full] [--missing]" >&2; exit 2 ;;
  esac
done
packages+=("${with[@]}")

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  # Whoever has them by other means goes on; CMake says what else it looks for.
  for tool in g++ cmake ninja gnuplot; do
    command -v "$tool" >/dev/null && continue
    echo "install_deps.sh: $tool is missing, and there is no apt-get to install it with. What is needed, as Debian 12" >&2
    echo "calls it: ${packages[*]}" >&2
    exit 3
  done
  exit 0
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi
if $only_missing; then
  echo "${missing[*]}"
  exit 0
fi

as_root=(env)
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "install_deps.sh: needs root or sudo to install: ${missing[*]}" >&2; exit 3; }
  sudo -v  # asks for the password while somebody can see it
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
mkdir -p build
watched build/packages.log "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q update
watched build/packages.log "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}"
