# The standard library's headers, and GoogleTest's, are half of what there is to compile in a small file. Here they are compiled
# once for all files that have the same flags. It hides that a file does not include what it uses, so only the preset
# `release` does it: the others notice.
option(PARLEY_PRECOMPILE "Compile the headers that nearly every file includes only once" OFF)

set(parley_std_headers <algorithm> <functional> <map> <memory> <optional> <set> <string> <string_view> <unordered_map>
    <utility> <variant> <vector>)

# parley_precompiled(NAME HEADERS header... LINKS target... FLAGS flag...): headers for others to take over, who must have
# the same flags: for others the compiler refuses them.
function(parley_precompiled name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINKS;FLAGS" ${ARGN})
  if(NOT PARLEY_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cc CONTENT "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE parley_options ${arg_LINKS})
  target_compile_options(${name} PRIVATE ${arg_FLAGS} -fpch-preprocess)  # ccache wants to see which headers those are
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# parley_precompile(TARGET NAME): TARGET takes the headers of NAME, if there are any.
function(parley_precompile target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
    # GCC 12 forgets of precompiled headers that they are the system's, and tells what it suspects of std::string.
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                             -Wno-stringop-overread)
  endif()
endfunction()
