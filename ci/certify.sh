#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything, however long.
source "$(dirname "$0")/lib.sh"

arm64_sweep() {
    is_built build-arm64 || return 77
    lng_verify build-arm64 --suite sweep --quiet
}

# A processor of before AVX: its kernels are skipped, and nothing else needs it.
old_x86() {
    if [ "$(uname -m)" != x86_64 ] || ! command -v qemu-x86_64-static >/dev/null; then
        echo "needs qemu-x86_64-static on x86-64 (Debian: qemu-user-static)"
        return 77
    fi
    qemu-x86_64-static -cpu Nehalem build/bin/lng-verify --suite smoke --quiet
}

step "make check" ci/check.sh
mkdir -p reports/out
step "conformance: full" build/bin/lng-verify --suite full --json reports/out/certify.json
step "arm64: conformance, mutants" arm64_sweep
step "x86-64 without AVX: conformance" old_x86
closing
