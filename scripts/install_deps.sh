#!/usr/bin/env bash
# Installs what the build needs, from Debian 12's own packages: scripts/install_deps.sh [--program | --full] [--missing]
#   --program  what building and running the program needs, without its tests.
#   --full     also what the stages of scripts/test.sh --full need.
#   --missing  prints what is missing and installs nothing.
# The only script that installs anything. Needs root or sudo, and nothing at all when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/watched.sh

# purpose NAME PACKAGE...: what is needed for it. Arrays have numbers only, as the bash of macOS has no others.
purposes=()
needs=()
packages=()
purpose() {
  purposes+=("$1")
  needs+=("${*:2}")
  packages+=("${@:2}")
}
purpose "compiler" g++ cmake ninja-build
purpose "libraries" nlohmann-json3-dev libcli11-dev libtbb-dev libeigen3-dev libxgboost-dev
purpose "figures" gnuplot-nox

only_missing=false
with_tests=true
with_full=false
for option in "$@"; do
  case $option in
    --program) with_tests=false ;;
    --full) with_full=true ;;
    --missing) only_missing=true ;;
    *) echo "usage: scripts/install_deps.sh [--program | --full] [--missing]" >&2; exit 2 ;;
  esac
done
if $with_tests || $with_full; then
  purpose "quick tests" ccache libbenchmark-dev libgtest-dev libgmock-dev clang-format
fi
if $with_full; then
  purpose "other compilers" clang clang-tidy libclang-rt-14-dev clang-16 libc++-16-dev libc++abi-16-dev python3-clang-14 \
    qemu-user g++-aarch64-linux-gnu
  purpose "other tests" strace locales gcovr slurm-wlm munge
  purpose "Python" pybind11-dev python3-dev python3-venv python3-pytest python3-jsonschema python3-numpy python3-optuna python3-scipy \
    python3-sklearn python3-torch
  purpose "explorer" emscripten nodejs chromium zopfli
  purpose "site" mkdocs
  purpose "packages" dpkg-dev file debootstrap zsh fish
fi

# What the program needs, as other systems call it. It is built and tested on Debian only.
elsewhere() {
  cat <<'END'
  Fedora   sudo dnf install gcc-c++ cmake ninja-build json-devel cli11-devel tbb-devel eigen3-devel gnuplot
           and XGBoost with its C header, which CMake finds by -DCMAKE_PREFIX_PATH=FOLDER
  macOS    brew install gcc cmake ninja nlohmann-json cli11 tbb eigen xgboost gnuplot
END
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  # Whoever has them by other means goes on; CMake says what else it looks for.
  for tool in g++ cmake ninja gnuplot; do
    command -v "$tool" >/dev/null && continue
    {
      echo "install_deps.sh: $tool is missing, and there is no apt-get to install it with. What the program needs:"
      elsewhere
      echo "  Debian   ${packages[*]}"
    } >&2
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
echo "installing ${#missing[@]} packages of Debian:"
for ((i = 0; i < ${#purposes[@]}; ++i)); do
  needed=()
  for package in ${needs[i]}; do
    [[ " ${missing[*]} " != *" $package "* ]] || needed+=("$package")
  done
  [[ ${#needed[@]} -eq 0 ]] || printf '  %-16s %s\n' "${purposes[i]}" "${needed[*]}"
done
mkdir -p build
echo "reading the lists of packages:"
watched build/packages.log "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q update
echo "downloading and unpacking:"
watched build/packages.log "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${missing[@]}"
