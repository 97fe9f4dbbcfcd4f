# SPDX-License-Identifier: Apache-2.0
# A starting point for FT78NE: its compiler is assumed to be like TI's for C66x.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR ft78ne)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(LNG_COMPILER cl6x CACHE STRING "the chip's compiler")
set(CMAKE_C_COMPILER ${LNG_COMPILER})
# Sums in the order they are written, no relaxed floating point: fp_mode=strict and
# fp_reassoc=off in TI's words.
set(CMAKE_C_FLAGS_INIT "-mv6600 --abi=eabi -O3 --fp_mode=strict --fp_reassoc=off")
