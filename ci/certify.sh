#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything, however long.
source "$(dirname "$0")/lib.sh"

step "make check" ci/check.sh
mkdir -p reports/out
arm64() { is_built build-arm64 && lng_verify build-arm64 "$@" || return; }
step "conformance: full" build/bin/lng-verify --suite full --json reports/out/certify.json
closing
