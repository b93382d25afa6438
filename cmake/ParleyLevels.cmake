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
endfunction()

# The target `programs` builds the shipped programs, without tests.
add_custom_target(programs)
function(parley_program name level main)
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE parley_${level})
  parley_precompile(${name} parley_std)
  add_dependencies(programs ${name})
endfunction()
