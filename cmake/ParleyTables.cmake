# The tables that are declared as data become part of the program: each storage/declarations/*.json as a text. A file that is
# added is found, and one that is edited is embedded again, without anything to change here.
set(parley_tables_source ${CMAKE_BINARY_DIR}/table_documents.cc)

if(CMAKE_SCRIPT_MODE_FILE)  # cmake -DOUTPUT=file -DDOCUMENTS=a.json,b.json -P this file
  set(source "#include \"storage/declarations/documents.h\"\n\nnamespace parley::storage {\nnamespace {\n\n")
  string(APPEND source "constexpr TableDocument kDocuments[] = {\n")
  string(REPLACE "," ";" documents "${DOCUMENTS}")
  foreach(document IN LISTS documents)
    file(READ ${document} text)
    get_filename_component(file ${document} NAME)
    string(APPEND source "    {\"${file}\", R\"document(${text})document\"},\n")
  endforeach()
  string(APPEND source "};\n\n}  // namespace\n\nstd::span<const TableDocument> TableDocuments() {\n"
         "  return kDocuments;\n}\n\n}  // namespace parley::storage\n")
  file(WRITE ${OUTPUT} "${source}")
  return()
endif()

file(GLOB parley_tables CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/storage/declarations/*.json)
list(SORT parley_tables)
list(JOIN parley_tables "," parley_tables_joined)
add_custom_command(OUTPUT ${parley_tables_source}
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${parley_tables_source} -DDOCUMENTS=${parley_tables_joined}
          -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${parley_tables} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Embedding the tables' declarations" VERBATIM)
target_sources(parley_storage PRIVATE ${parley_tables_source})
