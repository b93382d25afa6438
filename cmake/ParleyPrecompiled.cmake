# Half of the work of compiling a small file is the headers of the standard library and of GoogleTest. This compiles them once
# for all files with the same flags. It hides missing includes, so only the preset `release` does it; the other presets report
# them.
option(PARLEY_PRECOMPILE "Compile the headers that nearly every file includes only once" OFF)

set(parley_std_headers <algorithm> <atomic> <chrono> <condition_variable> <deque> <functional> <list> <map> <memory> <mutex>
    <optional> <set> <span> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector>)

# parley_precompiled(NAME HEADERS header... LINKS target... FLAGS flag...): precompiles headers for targets that have the same
# flags; the compiler rejects them for others.
function(parley_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINKS;FLAGS" ${ARGN})
  if(NOT PARLEY_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cc CONTENT "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE parley_options ${arg_LINKS})
  target_compile_options(${name} PRIVATE ${arg_FLAGS} -fpch-preprocess)  # ccache needs it to see the headers
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# parley_precompile(TARGET NAME): TARGET uses the precompiled headers of NAME, if they exist.
function(parley_precompile target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
    # GCC 12 no longer treats precompiled headers as system headers, and prints its warnings about std::string.
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                             -Wno-stringop-overread)
  endif()
endfunction()
