#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source over the port of a DSP compiles as a chip's compiler would have it: C99 without
# a C library, for 64 and for 32 bits, and needs the port, memcpy and memset alone (and the
# compiler's own functions, __...). Of the port the kernels need all that its headers declare,
# but for what stands there as not needed.
source "$(dirname "$0")/../lib.sh"
flags=(-std=c99 -O2 -ffreestanding -nostdlib -Wall -Wextra -Wshadow -Wconversion -Werror
    -DLNG_PORT='"test/stub_port.h"' -I impl -I impl/include)

sources=(impl/target/{ft78ne,mt7004}/*.c impl/test/toy_*.c impl/core/plan.c
    impl/target/dsp/grains.c impl/port/epsilon.c)
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT
# All that a chip need have of the library's headers.
echo '#include <stddef.h>
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);' >"$objects/string.h"
flags+=(-I "$objects")

compiled=0
for compiler in gcc "gcc -m32" clang-14 "clang-14 -m32"; do
    # The word is split: a compiler and its option.
    $compiler -c -x c -o "$objects/none.o" /dev/null 2>/dev/null || continue
    for source in "${sources[@]}"; do
        object=$objects/$(basename "$source" .c).o
        $compiler "${flags[@]}" -c -o "$object" "$source"
        nm -u "$object" | awk '{ print $2 }' >"$objects/undefined"
        case $source in impl/target/*) cat "$objects/undefined" >>"$objects/all" ;; esac
        needed=$(grep -vE '^((lng|fp|hp)_.*|memcpy|memset|__.*|_GLOBAL_OFFSET_TABLE_)$' \
            "$objects/undefined" || true)
        if [ -n "$needed" ]; then
            echo "$source, $compiler, must not need: $needed"
            exit 1
        fi
        compiled=$((compiled + 1))
    done
done
[ "$compiled" -ge $((2 * ${#sources[@]})) ]

sort -u -o "$objects/all" "$objects/all"
declared() { # 0 needed, 1 not
    awk -v part="$1" 'FNR == 1 { rest = 0 }
        /^\/\* ---- Not needed by the kernels here/ { rest = 1 }
        rest == part' impl/port/{port,ft78ne,mt7004,scalar_unit}.h |
        grep -oE 'lng_[a-z0-9_]+\(' | tr -d '(' | sort -u
}
wrong=$(declared 0 | comm -23 - "$objects/all"; declared 1 | comm -12 - "$objects/all")
if [ -n "$wrong" ]; then
    echo "the headers of the port are wrong about whether the kernels need:" "$wrong"
    exit 1
fi

# The build for a chip, with a compiler of this machine in the chip's place.
build_for() {
    cmake -S impl/port -B "$objects/$1" -DCMAKE_TOOLCHAIN_FILE="$PWD/impl/port/$1.cmake" \
        -DLNG_COMPILER=gcc -DCMAKE_C_FLAGS="-ffreestanding -nostdlib -Werror" \
        -DLNG_CHIP="$1" -DLNG_PORT=test/stub_port.h
    cmake --build "$objects/$1"
}

has_call() { # CHIP CALL
    nm -g "$objects/$1/liblayernormgrad_$1.a" >"$objects/symbols"
    if ! grep -q " T $2\$" "$objects/symbols"; then
        echo "the library of $1 lacks $2"
        exit 1
    fi
}

for chip in ft78ne mt7004; do
    if ! build_for $chip >"$objects/log" 2>&1; then
        cat "$objects/log"
        exit 1
    fi
    has_call $chip fp_layernormgrad_s
    has_call $chip fp_layernormgrad_p
done
has_call mt7004 hp_layernormgrad_s
has_call mt7004 hp_layernormgrad_p
