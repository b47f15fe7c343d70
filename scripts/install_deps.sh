#!/usr/bin/env bash
# Installs what the build needs, from Debian 12's own packages: scripts/install_deps.sh [--full]
#   --full   also what scripts/test.sh --full needs (clang, clang-tidy, sanitizer runtimes).
# The only script that installs anything. Needs root or sudo, and nothing at all when all is there.
set -euo pipefail

packages=(g++ cmake ninja-build ccache libbenchmark-dev nlohmann-json3-dev libcli11-dev libgtest-dev
          libgmock-dev libtbb-dev libeigen3-dev libxgboost-dev gnuplot-nox clang-format)
case "${1:-}" in
  "") ;;
  --full) packages+=(clang clang-tidy libclang-rt-14-dev) ;;
  *) echo "usage: scripts/install_deps.sh [--full]" >&2; exit 2 ;;
esac

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
missing=()
for package in "${packages[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "install_deps.sh: needs root or sudo to install: ${missing[*]}" >&2; exit 3; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get -qq update </dev/null
"${as_root[@]}" apt-get -qq -y --no-install-recommends install "${missing[@]}" </dev/null >/dev/null
