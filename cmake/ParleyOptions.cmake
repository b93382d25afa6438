# Compiler settings that all of our targets get through parley_options.
add_library(parley_options INTERFACE)
target_include_directories(parley_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(parley_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 sees uninitialised bytes in the inactive members of std::variant and std::optional.
  target_compile_options(parley_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
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
    # That check opens a pipe to see whether an object can be read: without descriptors, which tests use up, it takes
    # every object for a bad one.
    target_compile_options(parley_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=vptr>)
  endif()
endif()
if(PARLEY_FUZZ)
  target_compile_options(parley_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  # Without this it keeps nothing that was compiled with precompiled headers. Nothing here asks for the time of its compilation.
  # Another checkout of the same sources finds what was compiled here: paths are taken relative to the checkout.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
                                      CCACHE_NOHASHDIR=true ${CCACHE})
endif()
