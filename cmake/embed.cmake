# embed_files(TARGET FOLDER...): compiles TARGET's FOLDER/*.json, *.csv and [0-9]*.md into TARGET, readable through
# TARGET/embedded.h, but for paths that the regular expression EMBED_LEFT_OUT matches, and of JSON
# objects without EMBED_LEFT_OUT_KEYS. EMBED_DENSE: JSON is compiled in without its indentation. Adding, removing or editing a file rebuilds
# the one generated source.
function(embed_files target)
  set(files)
  foreach(folder IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${target}/${folder}/*.json
                                      ${PROJECT_SOURCE_DIR}/${target}/${folder}/*.csv
                                      ${PROJECT_SOURCE_DIR}/${target}/${folder}/*.md)
    list(FILTER found EXCLUDE REGEX "/[A-Z]+[.]md$")  # README.md is not compiled in
    list(APPEND files ${found})
  endforeach()
  if(EMBED_LEFT_OUT)
    list(FILTER files EXCLUDE REGEX ${EMBED_LEFT_OUT})
  endif()
  list(SORT files)

  # The list of names goes through a file, which is touched only when the set of names changes.
  set(generated ${PROJECT_BINARY_DIR}/generated/${target})
  list(JOIN files "\n" names)
  file(GENERATE OUTPUT ${generated}/embedded_files.txt CONTENT "${names}\n")

  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  add_custom_command(
    OUTPUT ${generated}/embedded.cc
    COMMAND ${CMAKE_COMMAND} -DROOM=${target} -DROOT=${PROJECT_SOURCE_DIR}/${target}
            -DLIST=${generated}/embedded_files.txt -DOUT=${generated}/embedded.cc
            "-DLEFT_OUT=${EMBED_LEFT_OUT_KEYS}" -DDENSE=${EMBED_DENSE} -P ${script}
    DEPENDS ${files} ${script} ${generated}/embedded_files.txt
    COMMENT "Embedding the ${target} library"
    VERBATIM)
  target_sources(${target} PRIVATE ${generated}/embedded.cc)
endfunction()
