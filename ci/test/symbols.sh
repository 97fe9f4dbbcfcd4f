#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/test/symbols.sh BUILD: the shared library exports what the headers declare, no more and no
# less; needs libc, libm and pthreads alone; and has no call that prints or ends the process.
source "$(dirname "$0")/../lib.sh"
library=$1/lib/liblayernormgrad.so

declared=$(cat impl/include/*.h | gcc -fpreprocessed -dD -E -P -w -x c - | # no comments
    grep -oP '\b(lng|fp|hp)_\w+(?= *\()' | sort -u)
exported=$(nm -D --defined-only "$library" | sed 's/.* //' | sort)
if ! diff <(echo "$declared") <(echo "$exported"); then
    echo "< declared in impl/include, > exported by $library"
    exit 1
fi
[ "$(wc -l <<<"$exported")" -ge 15 ]

needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
    grep -vxE 'lib(c|m|pthread)\.so\.[0-9]+|ld-linux-.*' || true)
calls=$(nm -D --undefined-only "$library" | sed -n 's/.* U \([a-z_]*\).*/\1/p' |
    grep -xE 'v?f?printf|v?dprintf|f?puts?|putchar|perror|fwrite|write|_*exit|abort|__assert_fail|syslog' ||
    true)
if ! readelf -d "$library" | grep -q 'SONAME.*\[liblayernormgrad\.so\.[0-9]*\]'; then
    echo "$library has no SONAME with its major version"
    exit 1
fi
if [ -n "$needed$calls" ]; then
    echo "$library must not need: $needed $calls"
    exit 1
fi
