# Compiles the *.json files of a folder into the program as text. Added and edited files are picked up by the next build.
if(CMAKE_SCRIPT_MODE_FILE)  # cmake -DOUTPUT=file -DHEADER=h -DSPACE=namespace -DNAME=Name -DDOCUMENTS=a.json,b.json -P this file
  set(source "#include \"${HEADER}\"\n\nnamespace ${SPACE} {\nnamespace {\n\n")
  string(APPEND source "constexpr ${NAME}Document kDocuments[] = {\n")
  string(REPLACE "," ";" documents "${DOCUMENTS}")
  foreach(document IN LISTS documents)
    file(READ ${document} text)
    get_filename_component(file ${document} NAME)
    string(APPEND source "    {\"${file}\", R\"document(${text})document\"},\n")
  endforeach()
  string(APPEND source "};\n\n}  // namespace\n\nstd::span<const ${NAME}Document> ${NAME}Documents() {\n"
         "  return kDocuments;\n}\n\n}  // namespace ${SPACE}\n")
  file(WRITE ${OUTPUT} "${source}")
  return()
endif()

set(parley_documents_script ${CMAKE_CURRENT_LIST_FILE})

# parley_documents(LEVEL FOLDER HEADER NAMESPACE NAME): the level's library defines NAMESPACE::NAMEDocuments(), which HEADER declares.
function(parley_documents level folder header space name)
  string(TOLOWER ${name} lower)
  set(source ${CMAKE_BINARY_DIR}/${lower}_documents.cc)
  file(GLOB documents CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.json)
  list(SORT documents)
  list(JOIN documents "," joined)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} -DHEADER=${header} -DSPACE=${space} -DNAME=${name} -DDOCUMENTS=${joined}
            -P ${parley_documents_script}
    DEPENDS ${documents} ${parley_documents_script}
    COMMENT "Embedding ${folder}" VERBATIM)
  target_sources(parley_${level} PRIVATE ${source})
endfunction()

# The target `documents` writes the protocol for machines, as the server prints it, to docs/ of the build.
function(parley_printed_documents program)
  set(written)
  foreach(name IN LISTS ARGN)
    set(document ${CMAKE_BINARY_DIR}/docs/${name}.json)
    add_custom_command(OUTPUT ${document}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/docs
      COMMAND $<TARGET_FILE:${program}> --${name} > ${document}
      DEPENDS ${program} COMMENT "Printing docs/${name}.json" VERBATIM)
    list(APPEND written ${document})
  endforeach()
  add_custom_target(documents ALL DEPENDS ${written})
  add_dependencies(programs documents)
endfunction()
