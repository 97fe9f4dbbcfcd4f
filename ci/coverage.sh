#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Line coverage of impl and ref by their own tests and the smoke suite, as a page
# (reports/out/coverage) and a percentage a room.
source "$(dirname "$0")/lib.sh"
out=reports/out/coverage
dir=build-coverage

ci/setup.sh build coverage
step "build" build $dir -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=--coverage -DBUILD_TESTING=ON
find $dir -name '*.gcda' -delete
step "tests of impl and ref" run_tests $dir -R '^(impl|ref)_' -E impl_large
step "conformance: smoke" "$dir"/bin/lng-verify --suite smoke --quiet

mkdir -p "$out"
page() {
    lcov --quiet --capture --directory "$dir" --output-file "$dir"/all.info
    lcov --quiet --extract "$dir"/all.info "$PWD/impl/*" "$PWD/ref/*" --output-file "$dir"/rooms.info
    lcov --quiet --remove "$dir"/rooms.info '*/test/*' --output-file "$dir"/rooms.info
    genhtml --quiet --prefix "$PWD" --output-directory "$out" "$dir"/rooms.info
}
step "page: $out/index.html" page
for room in impl ref; do
    lcov --quiet --extract "$dir"/rooms.info "$PWD/$room/*" --output-file "$dir"/$room.info
    lcov --summary "$dir"/$room.info 2>&1 | sed -n -E "s/^ +(lines|functions)\.+: /$room \1 /p"
done
closing
