#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All tests that a change must pass. The last line sums up everything: tests, units of the
# conformance suite, and steps that count as one.
source "$(dirname "$0")/lib.sh"

ci/setup.sh build report peer check
strict=(-DBUILD_TESTING=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON)

smoke() { # DIR [OPTION...]
    is_built "$1"
    TSAN_OPTIONS=halt_on_error=1 lng_verify "$1" --suite smoke --quiet "${@:2}"
}

# The kernels of the host alone: those of the DSPs run one core at a time, over a model that
# the tests try, and are slow where every access is watched or emulated.
smoke_of_host() { # DIR [OPTION...]
    local kernels
    is_built "$1"
    mapfile -t kernels < <(lng_verify "$1" --list |
        awk '/ host .* cores / { print "--impl"; print $1 == "*" ? $2 : $1 }')
    smoke "$1" "${kernels[@]}" "${@:2}"
}

on_arm64() { # COMMAND...: skipped where what it needs cannot be installed
    ci/setup.sh arm || return 77
    "$@"
}

step "sources: format"          ci/test/format.sh
step "sources: hygiene"         ci/test/hygiene.sh
step "scripts"                  ci/test/scripts.sh
step "gcc: build"               build build "${strict[@]}"
step "gcc: tests"               run_tests build
step "gcc: conformance, mutants" smoke build
step "clang: build"             build build-clang "${strict[@]}" \
    -DCMAKE_C_COMPILER=clang-14 -DCMAKE_CXX_COMPILER=clang++-14
step "clang: tests"             run_tests build-clang
step "interface: headers"       ci/test/headers.sh
step "interface: kernels of DSPs" ci/test/freestanding.sh
step "interface: symbols"       ci/test/symbols.sh build
step "interface: installation"  ci/test/installation.sh build
step "address sanitizer: build" build build-asan "${strict[@]}" -DLNG_SANITIZE=address,undefined
step "address sanitizer: tests" run_tests build-asan
step "thread sanitizer: build"  build build-tsan "${strict[@]}" -DLNG_SANITIZE=thread
step "thread sanitizer: tests"  run_tests build-tsan -R '^impl_'
step "thread sanitizer: conformance" smoke_of_host build-tsan --entry general --timeout 60
step "arm64: build"             on_arm64 build build-arm64 --toolchain ci/arm64.cmake "${strict[@]}"
step "arm64: tests"             on_arm64 run_tests build-arm64 -j "$(nproc)" -R '^impl_' -E impl_large
step "arm64: conformance"       on_arm64 smoke_of_host build-arm64 --entry general
step "README: kernels"          ci/test/kernels.sh build build-arm64
step "README"                   ci/test/readme.sh
closing
