#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a machine can see of the house rules.
source "$(dirname "$0")/../lib.sh"
wrong=0

complain() { # TITLE, then lines: none is well
    local lines
    lines=$(cat)
    [ -n "$lines" ] || return 0
    printf '%s\n%s\n' "$1" "$lines"
    wrong=1
}

files() { git ls-files --cached --others --exclude-standard "$@"; }

mapfile -t sources < <(files '*.c' '*.h' '*.cc' '*.hpp' '*.sh' '*.cmake' '*.in' \
    Makefile '*CMakeLists.txt' .ci/run)
no_spdx() {
    for file in "${sources[@]}"; do
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$file"
    done
}
complain "no SPDX line:" < <(no_spdx)
complain "impl includes what it must not depend on:" < <(files impl |
    xargs grep -nE '#include <(mpfr|gmp|gsl/|benchmark/|cjson/|hwloc)' || true)
complain "names that are not unique in the tree:" < <(printf '%s\n' "${sources[@]}" |
    sed 's,.*/,,' | grep -vxE 'CMakeLists.txt' | sort | uniq -d)
complain "longer than 500 lines:" < <(wc -l "${sources[@]}" | awk '$1 > 500 && $2 != "total"')
exit $wrong
