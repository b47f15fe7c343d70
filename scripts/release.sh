#!/usr/bin/env bash
# Makes a release from the current commit: scripts/release.sh [--dry-run]
#   --dry-run  checks everything and prints what would be done; changes nothing.
# Checks that the files that name the version agree, that CHANGELOG.md has a dated section for it, that the tree is clean and on main,
# and that the tag is new. Then builds the packages (scripts/package.sh) and makes an annotated tag whose text is that section.
# Publishes nothing: what to push is printed at the end. Run the tests first; the command is printed, too.
set -euo pipefail
cd "$(dirname "$0")/.."

is_dry=false
case ${1:-} in
  "") ;;
  --dry-run) is_dry=true ;;
  *) sed -n '2,3s/^# //p' "$0" >&2; exit 2 ;;
esac
[[ $# -le 1 ]] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }

version_of_cmake() { sed -n 's/^project(cubicbench VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }
version_of_cff() { sed -n 's/^version: *"\{0,1\}\([^" ]*\).*/\1/p' CITATION.cff; }
version_of_vcpkg() { sed -n 's/.*"version-semver": *"\([^"]*\)".*/\1/p' vcpkg.json; }
# The Python package takes its version from CMakeLists.txt unless it states one.
version_of_python() {
  local stated
  stated=$(sed -n 's/^version *= *"\([^"]*\)".*/\1/p' python/pyproject.toml)
  echo "${stated:-$(version_of_cmake)}"
}
version_of_bibtex() { sed -n 's/^ *version *= {\([^}]*\)},*/\1/p' docs/versions.md; }
version_of_goldens() { tr -d '[:space:]' <tests/golden/VERSION; }

# section VERSION: its text in the changelog, without the heading.
section() {
  awk -v heading="## [$1]" '
    index($0, heading) == 1 { inside = 1; next }
    /^## / { inside = 0 }
    inside' CHANGELOG.md | sed -e '/./,$!d'
}

problems=()
version=$(version_of_cmake)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || problems+=("CMakeLists.txt: expected a version of three numbers, got \"$version\"")
for place in cff:CITATION.cff vcpkg:vcpkg.json python:python/pyproject.toml bibtex:docs/versions.md; do
  other=$("version_of_${place%%:*}")
  [[ $other == "$version" ]] || problems+=("${place#*:}: has version \"$other\", CMakeLists.txt has $version")
done
goldens=$(version_of_goldens)
[[ ${goldens%.*} == "${version%.*}" ]] || problems+=("tests/golden/VERSION: goldens were made by $goldens, which is not $version")
heading=$(grep -m 1 -F "## [$version]" CHANGELOG.md || true)
if [[ -z $heading ]]; then
  problems+=("CHANGELOG.md: has no section \"## [$version] - YYYY-MM-DD\"")
elif [[ ! $heading =~ \ -\ [0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; then
  problems+=("CHANGELOG.md: expected \"## [$version] - YYYY-MM-DD\", got \"$heading\"")
fi
[[ -z $heading || -n $(section "$version") ]] || problems+=("CHANGELOG.md: the section of $version is empty")
[[ $(git branch --show-current) == main ]] || problems+=("git: a release is made from main, this is \"$(git branch --show-current)\"")
[[ -z $(git status --porcelain) ]] || problems+=("git: the tree has changes that are not committed")
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || problems+=("git: the tag v$version exists")

if [[ ${#problems[@]} -gt 0 ]]; then
  printf 'release.sh: %s\n' "${problems[@]}" >&2
  exit 1
fi

echo "version $version, commit $(git rev-parse --short HEAD)"
echo "tests:     scripts/test.sh --full"
echo "packages:  scripts/package.sh"
echo "tag:       v$version, with this text:"
section "$version" | sed 's/^/  | /'
if $is_dry; then
  echo "nothing was done (--dry-run)"
  exit 0
fi

scripts/package.sh
{ echo "CubicBench $version"; echo; section "$version"; } | git tag --annotate --cleanup=verbatim --file=- "v$version"
echo "made the tag v$version. To publish: git push origin main v$version, and attach the files of build/release/packages"
