#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verify, bench and report into reports/out/nightly/DATE; the status is that of verify.
source "$(dirname "$0")/lib.sh"
out=reports/out/nightly/$(date -u +%F)

status=0
ci/verify.sh "$out" || status=$?
ci/bench.sh "$out"
ci/report.sh "$out"
exit "$status"
