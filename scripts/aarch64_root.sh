#!/usr/bin/env bash
# scripts/aarch64_root.sh FOLDER: Debian's libraries for aarch64 below FOLDER, for a program built by its cross compiler.
# They are downloaded, as nobody in particular, and unpacked there: the machine's own packages and lists stay as they are.
set -euo pipefail
[[ $# -eq 1 ]] || { sed -n '2s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
root=$(realpath "$1")
[[ ! -e $root/complete ]] || exit 0

mkdir -p "$root"/apt/{lists,cache/archives}/partial
as_aarch64=(-q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=
            -o "Dir::State::Lists=$root/apt/lists" -o "Dir::Cache=$root/apt/cache")
apt-get "${as_aarch64[@]}" update
(cd "$root/apt" && apt-get "${as_aarch64[@]}" download libtbb12 libtbbmalloc2 libtbbbind-2-5 libtbb-dev libxgboost0 libdmlc0)
for package in "$root"/apt/*.deb; do dpkg-deb --extract "$package" "$root"; done
# What the cross compiler brings stands beside them, as the loader of aarch64 looks for it.
ln -sfn /usr/aarch64-linux-gnu/lib "$root/lib"
ln -sfn libxgboost.so.0 "$root/usr/lib/aarch64-linux-gnu/libxgboost.so"
rm -rf "$root/apt"
touch "$root/complete"
