# Compiles several files as one unit, which parses their common headers once. A file then sees the includes and the unnamed
# namespaces of its neighbours: tests/levels/file_names_test.cc finds names that clash, and presets without it report a missing
# include.
option(PARLEY_UNITY "Compile several files of a level as one unit" OFF)
set(parley_unity_files 12)  # per unit; with more, a change of one file takes longer to build

# parley_unity(TARGET [FILES]): compiles the target in units of so many files.
function(parley_unity target)
  if(PARLEY_UNITY)
    set(files ${ARGN} ${parley_unity_files})
    list(GET files 0 files)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
    # To GCC the files of a unit are headers, whose classes should not have members of unnamed namespaces.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# parley_level(NAME USES level... LINKS target...): one folder, one static library, linking only lower levels.
# Sources are globbed so that adding a file is one step; main files are excluded.
function(parley_level name)
  cmake_parse_arguments(arg "" "" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/(main|[a-z]+_main)\\.cc$")
  add_library(parley_${name} STATIC ${sources})
  list(TRANSFORM arg_USES PREPEND parley_)
  target_link_libraries(parley_${name} PUBLIC parley_options ${arg_USES} PRIVATE ${arg_LINKS})
  parley_precompile(parley_${name} parley_std)
  parley_unity(parley_${name})
endfunction()

# The target `programs` builds the shipped programs, without tests.
add_custom_target(programs)
function(parley_program name level main)
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE parley_${level})
  parley_precompile(${name} parley_std)
  add_dependencies(programs ${name})
endfunction()
