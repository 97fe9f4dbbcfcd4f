#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/bench.sh [DIR]: times every kernel, into DIR/bench.json (reports/out).
source "$(dirname "$0")/lib.sh"
out=${1:-reports/out}

ci/build.sh
mkdir -p "$out"
build/bin/lng-bench --json "$out/bench.json"
