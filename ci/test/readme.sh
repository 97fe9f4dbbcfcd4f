#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of README.md: every fenced block marked sh is run, in order, each in one shell
# that stops at the first error, in a copy of the tree as it stands. make check and make
# certify are not run again from here.
source "$(dirname "$0")/../lib.sh"
if [ ! -f README.md ]; then
    echo "there is no README.md"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/copy"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work/copy"

awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md >"$work/all"
[ -s "$work/all" ] || { echo "README.md has no block of commands marked sh"; exit 1; }
sed -n -E 's/^(make (check|certify).*)/skipped: \1/p' "$work/all"
sed -E 's/^make (check|certify)/: &/' "$work/all" >"$work/commands"
cd "$work/copy"
bash -euxo pipefail "$work/commands"
