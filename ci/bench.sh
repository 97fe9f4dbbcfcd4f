#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/bench.sh [DIR] [OPTION...]: times every kernel, or what the options of lng-bench say, into
# DIR/bench.json (reports/out).
source "$(dirname "$0")/lib.sh"
out=reports/out
case ${1:--} in
-*) ;;
*) out=$1; shift ;;
esac

ci/build.sh
case " $* " in *" --peer "*) ci/setup.sh peer ;; esac
mkdir -p "$out"
build/bin/lng-bench --json "$out/bench.json" "$@"
