#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything, however long.
source "$(dirname "$0")/lib.sh"

step "make check" ci/check.sh
mkdir -p reports/out
step "conformance: full" build/bin/lng-verify --suite full --json reports/out/certify.json
closing
