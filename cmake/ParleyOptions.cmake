# The compiler settings of all our targets, which they get through parley_options.
add_library(parley_options INTERFACE)
target_include_directories(parley_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(parley_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 sees uninitialised bytes in the inactive members of std::variant and std::optional.
  target_compile_options(parley_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  if(PARLEY_PRECOMPILE OR PARLEY_SANITIZE)  # not in compile_commands.json for clang-tidy, which rejects it
    # The compiler collects garbage from 1 GB on, not from 128 MB: a seventh less time, at most 1 GB more memory a process.
    target_compile_options(parley_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(parley_options INTERFACE -Wthread-safety)
endif()
# The programs stop at a bug instead of continuing: checked containers and library calls, guarded stacks, read-only
# relocations, random addresses. tests/e2e/hardening.test.mjs checks the programs.
target_compile_definitions(parley_options INTERFACE _GLIBCXX_ASSERTIONS)
if(NOT PARLEY_SANITIZE)
  target_compile_options(parley_options INTERFACE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fPIE)
  target_link_options(parley_options INTERFACE -pie -Wl,-z,relro,-z,now)
endif()
if(PARLEY_SANITIZE)
  target_compile_options(parley_options INTERFACE -fsanitize=${PARLEY_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(parley_options INTERFACE -fsanitize=${PARLEY_SANITIZE})
  if(PARLEY_SANITIZE MATCHES undefined)
    # This check opens a pipe to see whether an object is readable. Tests that use up the descriptors would make it report every
    # object as invalid.
    target_compile_options(parley_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=vptr>)
  endif()
endif()
if(PARLEY_FUZZ)
  target_compile_options(parley_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  # Without the first setting ccache skips everything compiled with precompiled headers; our sources use no __TIME__. The base
  # directory makes paths relative, so that all checkouts share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
                                      CCACHE_NOHASHDIR=true ${CCACHE})
endif()
