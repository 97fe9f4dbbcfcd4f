# SPDX-License-Identifier: Apache-2.0
# Toolchain of a build for 64-bit Arm on Debian, whose programs run in an emulator here.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static CACHE STRING "") # ci/lib.sh reads it
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_CURRENT_LIST_DIR}/arm64)
