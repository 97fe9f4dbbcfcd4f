#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source over the port of a DSP compiles as a chip's compiler would have it: C99 without
# a C library, for 64 and for 32 bits, and needs the port, memcpy and memset alone (and the
# compiler's own functions, __...).
source "$(dirname "$0")/../lib.sh"
flags=(-std=c99 -O2 -ffreestanding -nostdlib -Wall -Wextra -Wshadow -Wconversion -Werror
    -DLNG_PORT='"test/stub_port.h"' -I impl -I impl/include)

mapfile -t sources < <(grep -lE '#include "port/(ft78ne|mt7004).h"' \
    impl/target/*/*.c impl/test/toy_*.c)
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT

compiled=0
for compiler in gcc "gcc -m32" clang-14 "clang-14 -m32"; do
    # The word is split: a compiler and its option.
    $compiler -c -x c -o "$objects/none.o" /dev/null 2>/dev/null || continue
    for source in "${sources[@]}"; do
        object=$objects/$(basename "$source" .c).o
        $compiler "${flags[@]}" -c -o "$object" "$source"
        needed=$(nm -u "$object" | awk '{ print $2 }' |
            grep -vE '^(lng_.*|memcpy|memset|__.*|_GLOBAL_OFFSET_TABLE_)$' || true)
        if [ -n "$needed" ]; then
            echo "$source, $compiler, must not need: $needed"
            exit 1
        fi
        compiled=$((compiled + 1))
    done
done
[ "$compiled" -ge $((2 * ${#sources[@]})) ]
