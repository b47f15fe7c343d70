#!/usr/bin/env bash
# scripts/release.sh --dry-run in a repository of its own: what it accepts, and each thing that it refuses. Needs git alone.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

git init -q -b main .
git config user.name test
git config user.email test@example.org
mkdir -p scripts tests/golden python docs
cp "$source_dir/scripts/release.sh" scripts/
echo 'project(cubicbench VERSION 1.2.3 LANGUAGES CXX)' >CMakeLists.txt
echo 'version: 1.2.3' >CITATION.cff
echo '{"version-semver": "1.2.3"}' >vcpkg.json
echo 'dynamic = ["version"]' >python/pyproject.toml
echo '  version = {1.2.3},' >docs/versions.md
echo 1.2.0 >tests/golden/VERSION
printf '# Changelog\n\n## [1.2.3] - 2026-11-30\n\n### Fixed\n\n- One thing.\n\n## [1.2.0] - 2026-10-01\n\n- Older.\n' >CHANGELOG.md
git add -A
git commit -q -m first

failed=0
# expect STATUS TEXT: what --dry-run ends with and says.
expect() {
  local status=0 said
  said=$(scripts/release.sh --dry-run 2>&1) || status=$?
  if [[ $status -ne $1 || $said != *"$2"* ]]; then
    printf 'expected %s with "%s", got %s with:\n%s\n' "$1" "$2" "$status" "$said" >&2
    failed=1
  fi
  [[ -z $(git tag) || ${tagged:-} ]] || { echo "a dry run made a tag" >&2; failed=1; }
}
# refuses TEXT COMMAND: after the command, and takes the repository back.
refuses() {
  bash -c "$2"
  git commit -q -a -m change 2>/dev/null || true
  expect 1 "$1"
  git reset -q --hard first
}
git branch first

expect 0 '  | - One thing.'
[[ $(scripts/release.sh --dry-run) != *Older* ]] || { echo "the section of another version was taken" >&2; failed=1; }
refuses 'CITATION.cff: has version "1.2.2"' 'echo "version: 1.2.2" >CITATION.cff'
refuses 'vcpkg.json: has version "1.2.4"' 'sed -i s/1.2.3/1.2.4/ vcpkg.json'
refuses 'python/pyproject.toml: has version "9.9.9"' 'echo "version = \"9.9.9\"" >python/pyproject.toml'
refuses 'docs/versions.md: has version "1.2.1"' 'sed -i s/1.2.3/1.2.1/ docs/versions.md'
refuses 'goldens were made by 1.1.0' 'echo 1.1.0 >tests/golden/VERSION'
refuses 'has no section' 'sed -i s/1.2.3/1.2.9/ CHANGELOG.md'
refuses 'got "## [1.2.3] - unreleased"' 'sed -i "s/ - 2026-11-30/ - unreleased/" CHANGELOG.md'
refuses 'is empty' 'sed -i "/^### Fixed/d; /^- One/d" CHANGELOG.md'
touch new
expect 1 'not committed'
rm new
git checkout -q -b other
expect 1 'this is "other"'
git checkout -q main
git tag v1.2.3
tagged=yes
expect 1 'the tag v1.2.3 exists'
exit "$failed"
