# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE -DSOURCE=DIR -DCOMPILER=... -DFLAGS=... -P build_info.cmake
cmake_minimum_required(VERSION 3.25)
# Writes the header behind lng_build_info, and touches it only where something changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE no_git)
if(no_git)
  set(commit unknown)
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit +)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "/* Written by build_info.cmake. */
#define LNG_BUILD_COMMIT \"@commit@\"
#define LNG_BUILD_COMPILER \"@COMPILER@\"
#define LNG_BUILD_FLAGS \"@FLAGS@\"
" @ONLY)
