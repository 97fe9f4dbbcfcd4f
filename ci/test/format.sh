#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C and C++ source is as clang-format would have it.
source "$(dirname "$0")/../lib.sh"

git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cc' '*.hpp' |
    xargs clang-format-14 --dry-run -Werror
