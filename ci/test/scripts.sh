#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The scripts: shellcheck, the counting of steps, set-up.
source "$(dirname "$0")/../lib.sh"

shellcheck ci/*.sh ci/test/*.sh .ci/run

# run STATUS LAST_LINE COMMANDS: steps in a shell of their own.
run() {
    local status=0 output
    output=$(bash -c 'source ci/lib.sh; eval "$1"; closing' - "$3") || status=$?
    if [ "$status" -ne "$1" ] || [ "$(tail -n 1 <<<"$output")" != "$2" ]; then
        printf 'steps: %s\nexpected status %d, last line "%s"; got %d:\n%s\n' "$3" "$1" "$2" \
            "$status" "$output"
        exit 1
    fi
}
run 0 "2 passed, 0 failed, 0 skipped" 'step a true; step b true'
run 1 "1 passed, 1 failed, 0 skipped" 'step a true; step b false'
run 1 "0 passed, 1 failed, 0 skipped" 'f() { false; echo reached; }; step a f'
run 0 "1 passed, 0 failed, 1 skipped" 'step a true; step b sh -c "echo why; exit 77"'
run 77 "0 passed, 0 failed, 1 skipped" 'step a sh -c "exit 77"'
run 0 "8 passed, 0 failed, 2 skipped" 'step a echo "7 passed, 0 failed, 2 skipped"; step b true'
run 1 "7 passed, 3 failed, 0 skipped" 'step a sh -c "echo 7 passed, 3 failed, 0 skipped; exit 1"'
run 1 "7 passed, 3 failed, 0 skipped" 'step a echo "7 passed, 3 failed, 0 skipped"'
run 1 "7 passed, 1 failed, 0 skipped" 'step a sh -c "echo 7 passed, 0 failed, 0 skipped; exit 1"'
run 1 "0 passed, 1 failed, 0 skipped" 'step a no-such-command'
run 77 "0 passed, 0 failed, 0 skipped" ''

# What is installed costs nothing.
fastest=1000000
for _ in 1 2 3 4 5; do
    start=${EPOCHREALTIME/./}
    ci/setup.sh build report check
    microseconds=$((${EPOCHREALTIME/./} - start))
    if [ $microseconds -lt $fastest ]; then fastest=$microseconds; fi
done
if [ $fastest -ge 200000 ]; then
    echo "ci/setup.sh with nothing to do took $fastest microseconds, expected less than 200000"
    exit 1
fi
