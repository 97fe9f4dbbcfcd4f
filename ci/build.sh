#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds build/bin and build/lib. A new build has no tests, whose library is not asked for
# here; make check adds them and they stay.
source "$(dirname "$0")/lib.sh"

ci/setup.sh build
if [ -f build/CMakeCache.txt ]; then build build; else build build -DBUILD_TESTING=OFF; fi
