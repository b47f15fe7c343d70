#!/usr/bin/env bash
# Packages of the program: scripts/package.sh [--prove | --wheel]
#   (nothing)  builds them in build/release/packages: cubicbench_*.deb, libcubicbench-dev_*.deb, cubicbench-*.tar.gz.
#   --prove    also asks lintian, installs them in a bare Debian 12 below build/bare, without compilers runs `paper` there, and with
#              one builds examples/embedded. Needs root and debootstrap.
#   --wheel    builds the wheel of the Python module in build/wheel, installs it with the .deb in a bare Debian 12, and searches there.
# Needs what scripts/install_deps.sh --full installs.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/watched.sh

bare=$PWD/build/bare
packages=build/release/packages

build_packages() {
  mkdir -p build
  watched build/configure.log cmake --preset program
  watched build/program.log cmake --build build/release --parallel "$(scripts/jobs.sh)"
  rm -rf "$packages"
  watched build/packages.log cpack --config build/release/CPackConfig.cmake
  find "$packages" -maxdepth 1 -type f -printf '  %f  %k KiB\n' | sort
}

# new_tree NAME: a Debian 12 with nothing but its base, in build/bare/NAME. The first is kept as build/bare/base.
new_tree() {
  [[ $(id -u) -eq 0 ]] || { echo "package.sh: a bare Debian is made by debootstrap, which needs root" >&2; exit 3; }
  if [[ ! -e $bare/base/complete ]]; then
    rm -rf "$bare/base"
    mkdir -p "$bare"
    echo "unpacking the base of Debian 12:"
    watched build/debootstrap.log debootstrap --variant=minbase bookworm "$bare/base"
    touch "$bare/base/complete"
  fi
  rm -rf "${bare:?}/$1"
  cp -a --reflink=auto "$bare/base" "$bare/$1"
  # It asks for packages as this machine does.
  cp /etc/resolv.conf "$bare/$1/etc/resolv.conf"
  cp /etc/apt/apt.conf.d/* "$bare/$1/etc/apt/apt.conf.d/"
}

# in_tree NAME COMMAND...: runs it there, with processes of its own and the network of this machine.
in_tree() {
  unshare --mount --pid --fork --root="$bare/$1" --mount-proc=/proc --wd=/root \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${@:2}"
}

# apt_install NAME PACKAGE...: with what they depend on, and nothing that they only recommend.
apt_install() {
  watched build/bare-apt.log in_tree "$1" apt-get -q update
  watched build/bare-apt.log in_tree "$1" apt-get -q -y --no-install-recommends install "${@:2}"
}

# Fails with what was said where COMMAND does not print TEXT: prints TEXT COMMAND...
prints() {
  local said
  said=$("${@:2}")
  [[ $said == *"$1"* ]] || { printf '%s\nexpected: %s\n' "$said" "$1" >&2; return 1; }
}

# Lines of progress on standard input may come at most ten seconds apart.
in_time() {
  local last=$SECONDS line
  while IFS= read -r line; do
    printf '   %s\n' "$line"
    ((SECONDS - last <= 11)) || { echo "package.sh: no line for $((SECONDS - last)) s" >&2; return 1; }
    last=$SECONDS
  done
}

prove_policy() {
  echo "Debian's policy:"
  new_tree policy
  cp "$packages"/*.deb "$bare/policy/root/"
  apt_install policy lintian
  watched build/lintian.log in_tree policy sh -c 'lintian --fail-on error,warning ./*.deb'
}

prove_program() {
  echo "a Debian without compilers:"
  new_tree program
  cp "$packages"/cubicbench_*.deb "$bare/program/root/cubicbench.deb"
  apt_install program ./cubicbench.deb man-db
  if in_tree program sh -c 'command -v cc || command -v g++'; then
    echo "package.sh: a compiler is there, so this would prove nothing" >&2
    return 1
  fi
  prints llama3-405b in_tree program cubicbench list
  prints "step time" in_tree program cubicbench simulate llama3-405b
  in_tree program cubicbench paper --trials 2 --seeds 1 --repeats 1 --out out 2>&1 | in_time
  [[ -s $bare/program/root/out/index.html ]] || { echo "package.sh: paper left no page" >&2; return 1; }
  prints "completed: simulate" in_tree program bash -c '
    source /usr/share/bash-completion/completions/cubicbench
    COMP_WORDS=(cubicbench sim)
    COMP_CWORD=1
    _cubicbench
    echo "completed: ${COMPREPLY[*]}"'
  for page in cubicbench cubicbench-simulate cubicbench-completion; do
    prints "SYNOPSIS" in_tree program man "$page"
  done
}

prove_development() {
  local said
  echo "a Debian with a compiler:"
  new_tree development
  cp "$packages"/*.deb "$bare/development/root/"
  cp -r examples/embedded "$bare/development/root/"
  apt_install development g++ cmake make ./"$(basename "$packages"/cubicbench_*.deb)" ./"$(basename "$packages"/libcubicbench-dev_*.deb)"
  in_tree development cmake -S embedded -B embedded/build >build/embedded.log
  watched build/embedded.log in_tree development cmake --build embedded/build
  said=$(in_tree development embedded/build/step_time llama3-405b async_tensor_parallel=true)
  echo "  $said"
  prints "${said#*: }" in_tree development sh -c "cubicbench simulate llama3-405b --set async_tensor_parallel=true --json |
    sed -n 's/.*\"step_time_s\": \([0-9.]*\).*/\1/p' | xargs printf '%.6f s\n'"
}

build_wheel() {
  mkdir -p build/wheel
  rm -f build/wheel/*.whl
  watched build/configure-python.log cmake --preset python
  /usr/bin/python3 -m venv build/wheel/venv
  CUBICBENCH_BUILD=$PWD/build/python watched build/wheel.log build/wheel/venv/bin/pip wheel --no-deps --no-build-isolation \
    -w build/wheel ./python
  find build/wheel -name '*.whl' -printf '  %f  %k KiB\n'
}

# The libraries that it needs are those of the program's package.
prove_wheel() {
  echo "a Debian with Python and without compilers:"
  new_tree wheel
  cp "$packages"/cubicbench_*.deb "$bare/wheel/root/cubicbench.deb"
  cp build/wheel/*.whl "$bare/wheel/root/"
  apt_install wheel python3-venv ./cubicbench.deb
  in_tree wheel python3 -m venv venv
  in_tree wheel sh -c 'venv/bin/pip install -q --no-index ./*.whl'
  prints "$(sed -n 's/^project(cubicbench VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" \
    in_tree wheel venv/bin/python -c 'import cubicbench; print(cubicbench.__version__)'
  in_tree wheel venv/bin/python -c '
import cubicbench
with cubicbench.Study("tiny-llama", "evolution", trials=30, out="mine") as study:
    study.run()'
  prints "30 launches" in_tree wheel cubicbench verify mine
}

case ${1:-} in
  "") build_packages ;;
  --prove) build_packages; prove_policy; prove_program; prove_development ;;
  --wheel) build_packages; build_wheel; prove_wheel ;;
  *) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
esac
