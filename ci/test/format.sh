#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ source is as clang-format would have it.
source "$(dirname "$0")/../lib.sh"

status=0
while read -r file; do
    if ! clang-format-14 --dry-run -Werror "$file" 2>/dev/null; then
        echo "$file: run clang-format-14 -i"
        status=1
    fi
done < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cc' '*.hpp')
exit $status
