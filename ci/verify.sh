#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/verify.sh [DIR]: the conformance suite into DIR (reports/out). The status is
# lng-verify's, and the last line its closing line.
source "$(dirname "$0")/lib.sh"
out=${1:-reports/out}

ci/setup.sh report
ci/build.sh
mkdir -p "$out"
rm -f "$out"/conformance.*
if [ -t 1 ]; then color=always; else color=never; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
build/bin/lng-verify --suite sweep --color $color --json "$out/conformance.json" \
    --junit "$out/conformance.xml" | tee "$log" | sed '$d' || status=${PIPESTATUS[0]}
if [ -f "$out/conformance.json" ]; then
    build/bin/lng-report --output "$out/conformance.html" "$out/conformance.json" >/dev/null &&
        echo "$out/conformance.html" || status=$((status ? status : 2))
fi
tail -n 1 "$log"
exit "$status"
