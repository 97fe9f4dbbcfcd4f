#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/test/kernels.sh BUILD...: the table of kernels in README.md against what the lng-verify of
# each build lists and measures.
source "$(dirname "$0")/../lib.sh"
known=
absent=
for build in "$@"; do
    is_built "$build" || { absent+=" $build"; continue; }
    ids=$(lng_verify "$build" --list | sed -n -E 's/^[* ] (f[0-9]+_[a-z0-9]+) .*/\1/p')
    [ -n "$ids" ]
    known+=$ids$'\n'
    for id in $ids; do
        row=$(grep -F "| \`$id\` |" README.md) || { echo "README.md: no row for $id"; exit 1; }
        status=0
        line=$(lng_verify "$build" --impl "$id" --shape 130x257) || status=$?
        if [ "$status" -eq 77 ]; then
            echo "skipped: $id does not run here"
            continue
        fi
        measured=$(head -n 1 <<<"$line" | sed -E 's/ of bound//g
            s/.*dx ([^ ]*) ([^ ]*) ulp  dg ([^ ]*) ([^ ]*) ulp  db ([^ ]*) ([^ ]*) ulp/\1 \2 | \3 \4 | \5 \6 |/')
        [[ $row == *"$measured" ]] || { echo "README.md: $row"; echo "measured: $measured"; exit 1; }
    done
done
while read -r id; do
    if grep -qx "$id" <<<"$known"; then continue; fi
    [ -n "$absent" ] || { echo "README.md: $id is no kernel of $*"; exit 1; }
    echo "skipped: $id:$absent was not built"
done < <(grep -oP '^\| `\Kf\d+_\w+' README.md)
