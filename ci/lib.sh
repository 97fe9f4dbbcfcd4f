# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by every script, which then stands at the top of the tree, stops at the first
# error, and can run its work as steps that end in one closing line.
set -euo pipefail
export LC_ALL=C
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that called
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# build DIR [CMAKE OPTION...]: configures and builds everything; DIR/built tells that what is
# there is of these sources. Progress is for terminals.
build() {
    local dir=$1
    mkdir -p "$dir"
    rm -f "$dir/built"
    cmake -S . -B "$dir" "${@:2}" >"$dir/configure.log" 2>&1 ||
        { cat "$dir/configure.log"; return 1; }
    if [ -t 1 ]; then
        cmake --build "$dir" --parallel "$(nproc)"
    else
        cmake --build "$dir" --parallel "$(nproc)" 2>&1 | { grep -v '^\[ *[0-9]*%\]' || true; }
    fi
    touch "$dir/built"
}

# is_built DIR: what an earlier build left does not count.
is_built() {
    [ -f "$1/built" ] || { echo "$1 was not built"; return 1; }
}

# lng_verify DIR [OPTION...]: that of a build, in the emulator that a cross build names.
lng_verify() {
    local emulator
    emulator=$(sed -n 's/^CMAKE_CROSSCOMPILING_EMULATOR:[A-Z]*=//p' "$1/CMakeCache.txt")
    LD_LIBRARY_PATH=$1/lib ${emulator:+"$emulator"} "$1/bin/lng-verify" "${@:2}"
}

# run_tests DIR [CTEST OPTION...]: its last line is a closing line: the test programs, and the
# tests inside them that were skipped. These say why in a line that begins with "skipped:".
run_tests() {
    local dir=$1 status=0 suite tests failures skips inside
    is_built "$dir"
    # A sanitizer's own dlopen does not look beside the program.
    LD_LIBRARY_PATH=$PWD/$dir/lib ctest --test-dir "$dir" --output-on-failure \
        --no-tests=error --timeout 300 --output-junit ctest.xml "${@:2}" || status=$?
    suite=$(grep -A 10 '<testsuite' "$dir/ctest.xml")
    tests=$(attribute tests "$suite")
    failures=$(attribute failures "$suite")
    skips=$(($(attribute skipped "$suite") + $(attribute disabled "$suite")))
    inside=$(grep -E '^skipped:|^\[  SKIPPED \] [a-z0-9_]+$' \
        "$dir/Testing/Temporary/LastTest.log" | awk '!seen[$0]++' || true)
    echo "$inside"
    if [ "$status" -ne 0 ] && [ "$failures" -eq 0 ]; then # a test that could not be started
        failures=$skips
        skips=0
    fi
    echo "$((tests - failures - skips)) passed, $failures failed," \
        "$((skips + $(grep -c SKIPPED <<<"$inside" || true))) skipped"
    return "$status"
}

attribute() { # NAME XML
    sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" <<<"$2" | head -n 1
}

passed=0 failed=0 skipped=0

# step NAME COMMAND...: runs it and prints one line: verdict, name, seconds, note. Status 77
# means skipped, and the log's last line tells why. Where that is a closing line its counts
# are added, otherwise the step counts as one. The log is shown if the step fails.
step() {
    local name=$1 start=${EPOCHREALTIME/./} log status note verdict=PASS p=1 f=0 s=0
    shift
    log=$(mktemp)
    set +e # a function called where its status is tested would not stop at its errors
    (set -e; "$@") >"$log" 2>&1
    status=$?
    set -e
    note=$(tail -n 1 "$log")
    if [[ $note =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
    elif [ "$status" -eq 77 ]; then
        verdict=SKIP p=0 s=1
    elif [ "$status" -eq 0 ]; then
        note=
    else
        note="status $status" p=0
    fi
    if [ "$status" -ne 0 ] && [ "$status" -ne 77 ] && [ "$f" -eq 0 ]; then f=1; fi
    if [ "$f" -ne 0 ]; then verdict=FAIL; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    local tenths=$(((${EPOCHREALTIME/./} - start) / 100000))
    printf '%s  %-36s %4d.%d s  %s\n' $verdict "$name" $((tenths / 10)) $((tenths % 10)) "$note"
    if [ $verdict = FAIL ]; then
        sed 's/^/    /' "$log"
    else
        sed -n -E 's/^(skipped:|\[  SKIPPED \])/    &/p' "$log"
    fi
    rm "$log"
}

# closing: the sum over the steps, as the last line and as the status.
closing() {
    echo "$passed passed, $failed failed, $skipped skipped"
    if [ "$failed" -ne 0 ]; then exit 1; fi
    if [ "$passed" -eq 0 ]; then exit 77; fi
    exit 0
}
