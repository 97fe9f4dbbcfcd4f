# SPDX-License-Identifier: Apache-2.0
# A starting point for MT7004: its compiler is assumed to be like that of FT-M7002 and
# MT-3000, a GCC.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR mt7004)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(LNG_COMPILER MT-3000-gcc CACHE STRING "the chip's compiler")
set(CMAKE_C_COMPILER ${LNG_COMPILER})
# Every fused operation is written as one; the compiler must make none of its own.
set(CMAKE_C_FLAGS_INIT "-O2 -ffp-contract=off -fno-associative-math")
