#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The table of kernels in README.md against what lng-verify lists and measures.
source "$(dirname "$0")/../lib.sh"
verify=${1:-build}/bin/lng-verify
ids=$("$verify" --list | sed -n -E 's/^[* ] (f[0-9]+_[a-z0-9]+) .*/\1/p')
[ -n "$ids" ]
for id in $ids; do
    row=$(grep -F "| \`$id\` |" README.md) || { echo "README.md: no row for $id"; exit 1; }
    status=0
    line=$("$verify" --impl "$id" --shape 130x257) || status=$?
    if [ "$status" -eq 77 ]; then
        echo "skipped: $id does not run here"
        continue
    fi
    measured=$(head -n 1 <<<"$line" | sed -E 's/ of bound//g
        s/.*dx ([^ ]*) ([^ ]*) ulp  dg ([^ ]*) ([^ ]*) ulp  db ([^ ]*) ([^ ]*) ulp/\1 \2 | \3 \4 | \5 \6 |/')
    [[ $row == *"$measured" ]] || { echo "README.md: $row"; echo "measured: $measured"; exit 1; }
done
