#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every public header, alone, in every language it promises, without a warning.
source "$(dirname "$0")/../lib.sh"
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only -I impl/include)

compiled=0
for header in impl/include/*; do
    for standard in c99 c11 c17 c++11 c++17 c++20; do
        case $header:$standard in
        *.hpp:c[0-9]*) continue ;;
        *:c++*) language=c++ compilers="g++ clang++-14" ;;
        *) language=c compilers="gcc clang-14" ;;
        esac
        for compiler in $compilers; do
            printf '#include <%s>\nint lng_after_header;\n' "${header##*/}" |
                $compiler -x "$language" -std=$standard "${warnings[@]}" - ||
                { echo "$header: $compiler -std=$standard"; exit 1; }
            compiled=$((compiled + 1))
        done
    done
done
[ $compiled -ge 12 ]
