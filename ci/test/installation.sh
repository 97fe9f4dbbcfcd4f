#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/test/installation.sh BUILD: an installation, staged by DESTDIR, then moved elsewhere, serves
# pkg-config and find_package, C and C++, shared and static.
source "$(dirname "$0")/../lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR=$work/stage cmake --install "$1" --prefix /opt/layernormgrad >"$work/log"
[ "$(ls "$work/stage")" = opt ] || { echo "something was installed outside the prefix"; exit 1; }
mv "$work/stage/opt/layernormgrad" "$work/prefix"
lib=$(dirname "$(find "$work/prefix" -name 'liblayernormgrad.a')")
export PKG_CONFIG_PATH=$lib/pkgconfig
unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR

# An example prints the same however it was linked.
expect_dx() { grep -q '^dx -1.5 -3 1.5 3 ' || { echo "documented_call: wrong result"; exit 1; }; }
expect_kernels() { [ "$(grep -c '^f32_.* dx')" -ge 1 ] || { echo "general_call: no kernel"; exit 1; }; }
expect_half() { grep -qx 'dx 0.5 ... -0.5  dg -64 64 ... 0  db 64 ... 0' || { echo "wrong result"; exit 1; }; }
run() { # PROGRAM...: those whose name begins so
    local program
    for program in "$@"; do
        echo "running $program"
        case $program in
        *documented_call*) LD_LIBRARY_PATH=$lib "$program" | expect_dx ;;
        *_operands*) LD_LIBRARY_PATH=$lib "$program" | expect_half ;;
        *) LD_LIBRARY_PATH=$lib "$program" | expect_kernels ;;
        esac
    done
}

version=$(sed -n 's/#define LNG_VERSION_[A-Z]* //p' impl/include/layernormgrad.h | paste -sd.)
for library in layernormgrad layernormgrad_ft78ne layernormgrad_mt7004; do
    read -r -a shared < <(pkg-config --cflags --libs $library)
    read -r -a static < <(pkg-config --static --cflags --libs $library)
    [ "$(pkg-config --modversion $library)" = "$version" ]
    examples=(documented_call.c general_call.cc)
    [ $library = layernormgrad ] || examples+=(shared_operands.c private_operands.c)
    for example in "${examples[@]}"; do
        name=$work/${example%.*}.$library
        cc=gcc
        [ "${example##*.}" = c ] || cc=g++
        example=impl/examples/$example
        $cc "$example" "${shared[@]}" -o "$name.shared"
        readelf -d "$name.shared" | grep -q "NEEDED.*lib$library\.so\.[0-9]"
        $cc -static "$example" "${static[@]}" -o "$name.static"
        run "$name.shared" "$name.static"
    done
done

cmake -S impl/examples -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" >>"$work/log"
cmake --build "$work/build" >>"$work/log"
for library in layernormgrad ft78ne mt7004; do
    program=$work/build/documented_call_$library
    readelf -d "$program" | grep -q "NEEDED.*liblayernormgrad.*${library#layernormgrad}\.so\.[0-9]"
    if readelf -d "${program}_static" | grep -q 'NEEDED.*liblayernormgrad'; then
        echo "${library}_static linked a shared library"
        exit 1
    fi
    run "$program"{,_static} "$work/build/general_call_$library"{,_static}
    [ $library = layernormgrad ] || run "$work/build/"{shared,private}_operands_"$library"{,_static}
done

# The tools that were built came too, and run from there.
shopt -s nullglob
for tool in "$1"/bin/*; do
    "$work/prefix/bin/$(basename "$tool")" --help >/dev/null
done
