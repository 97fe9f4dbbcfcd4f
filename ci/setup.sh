#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/setup.sh PURPOSE...: installs what the purposes need and is missing: as root on Debian by
# apt-get, otherwise the one command to run is printed and the status is 2.
set -euo pipefail

packages_for() {
    case $1 in
    build) echo gcc g++ libc6-dev make cmake pkg-config libmpfr-dev libgmp-dev libgsl-dev \
        libcjson-dev libbenchmark-dev ;;
    report) echo gnuplot-nox ;;
    peer) echo libdnnl2 ;;
    check) echo make clang-14 clang-format-14 shellcheck libcmocka-dev libxml2-utils git ;;
    coverage) echo libcmocka-dev lcov ;;
    arm) echo gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static libgsl-dev \
        lib{mpfr-dev,gmp-dev,gsl27,cjson-dev,cmocka-dev}:arm64 ;;
    *) echo "ci/setup.sh: unknown purpose '$1'," \
        "expected build, report, peer, check, coverage or arm" >&2
        exit 2 ;;
    esac
}

needed=
for purpose in "$@"; do
    needed+=" $(packages_for "$purpose")"
done
if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian: this needs the counterparts of$needed" >&2
    exit 0
fi
# shellcheck disable=SC2086 # a list of words
missing=$(comm -23 <(printf '%s\n' $needed | sort -u) <(dpkg-query -W \
    -f '${db:Status-Status} ${binary:Package}\n' $needed 2>/dev/null |
    sed -n "s/:$(dpkg --print-architecture)\$//; s/^installed //p" | sort -u))
[ -n "$missing" ] || exit 0

# Nothing is removed: where packages of two architectures exclude each other it fails.
install=(apt-get install -y --no-install-recommends --no-remove)
mapfile -t missing <<<"$missing"
foreign=
if [[ ${missing[*]} == *:arm64* ]] && ! dpkg --print-foreign-architectures | grep -qx arm64; then
    foreign=arm64
fi
command="apt-get update && ${install[*]} ${missing[*]}"
if [ -n "$foreign" ]; then command="dpkg --add-architecture $foreign && $command"; fi
if [ "$(id -u)" -ne 0 ]; then
    echo "missing packages; run: sudo sh -c '$command'" >&2
    exit 2
fi
echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
wait_for_lock=(-o DPkg::Lock::Timeout=300)
if [ -n "$foreign" ]; then dpkg --add-architecture $foreign; fi
if ! { apt-get "${wait_for_lock[@]}" update &&
    "${install[@]}" "${wait_for_lock[@]}" "${missing[@]}"; } >"$log" 2>&1; then
    if [ -n "$foreign" ]; then dpkg --remove-architecture $foreign || true; fi
    tail -n 20 "$log" >&2
    echo "could not be installed; run: $command" >&2
    exit 2
fi
