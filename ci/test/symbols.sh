#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/test/symbols.sh BUILD: each shared library exports what the headers declare, no more and no
# less; needs libc, libm and pthreads alone; and has no call that prints or ends the process.
source "$(dirname "$0")/../lib.sh"

declared=$(cat impl/include/*.h | gcc -fpreprocessed -dD -E -P -w -x c - | # no comments
    grep -oP '\b(lng|fp|hp)_\w+(?= *\()' | sort -u)
[ "$(wc -l <<<"$declared")" -ge 15 ]

check() { # LIBRARY
    local name exported needed calls
    name=$(basename "$1" .so)
    exported=$(nm -D --defined-only "$1" | sed 's/.* //' | sort)
    if ! diff <(echo "$declared") <(echo "$exported"); then
        echo "< declared in impl/include, > exported by $1"
        exit 1
    fi
    needed=$(readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -vxE 'lib(c|m|pthread)\.so\.[0-9]+|ld-linux-.*' || true)
    calls=$(nm -D --undefined-only "$1" | sed -n 's/.* U \([a-z_]*\).*/\1/p' |
        grep -xE 'v?f?printf|v?dprintf|f?puts?|putchar|perror|fwrite|write|_*exit|abort|__assert_fail|syslog' ||
        true)
    if ! readelf -d "$1" | grep -q "SONAME.*\[$name\.so\.[0-9]*\]"; then
        echo "$1 has no SONAME with its major version"
        exit 1
    fi
    if [ -n "$needed$calls" ]; then
        echo "$1 must not need: $needed $calls"
        exit 1
    fi
}

libraries=("$1"/lib/liblayernormgrad.so "$1"/lib/liblayernormgrad_*.so)
[ ${#libraries[@]} -ge 3 ]
for library in "${libraries[@]}"; do
    check "$library"
done
