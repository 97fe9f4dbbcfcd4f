#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/report.sh [DIR]: DIR/report.html (reports/out) of the results that DIR has.
source "$(dirname "$0")/lib.sh"
out=${1:-reports/out}

results=()
for result in "$out/conformance.json" "$out/bench.json"; do
    if [ -f "$result" ]; then results+=("$result"); fi
done
if [ ${#results[@]} -eq 0 ]; then
    echo "no results in $out: run make verify or make bench first" >&2
    exit 2
fi
ci/setup.sh report
ci/build.sh
build/bin/lng-report --output "$out/report.html" "${results[@]}"
