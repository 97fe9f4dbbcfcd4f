#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what make builds under $DESTDIR$PREFIX (/usr/local).
source "$(dirname "$0")/lib.sh"

ci/build.sh
cmake --install build --prefix "${PREFIX:-/usr/local}" # reads DESTDIR itself
