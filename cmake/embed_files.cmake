# cmake -DROOM=NAME -DROOT=DIR -DLIST=FILE -DOUT=FILE.cc -P embed_files.cmake
# Writes a C++ source of the room NAME with the text of every file named in LIST (one absolute path a line, below ROOT).
# Raw string literals: an array of bytes takes a compiler a hundred times as long, and the tables are megabytes. Both
# compilers take literals of any length and only remark on it where a standard promises no more than 65,536 characters.
file(STRINGS ${LIST} files)
set(definitions "")
set(table "")
set(index 0)
foreach(file IN LISTS files)
  file(RELATIVE_PATH path ${ROOT} ${file})
  file(READ ${file} content)
  string(FIND "${content}" ")embedded\"" quote)
  if(NOT quote EQUAL -1)
    message(FATAL_ERROR "${file} holds what ends its raw string literal")
  endif()
  string(APPEND definitions "constexpr char file_${index}[] = R\"embedded(${content})embedded\";\n")
  string(APPEND table "    {\"${path}\", {file_${index}, sizeof(file_${index}) - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()

set(text "// Written by cmake/embed_files.cmake.\n#include \"${ROOM}/embedded.h\"\n\n")
string(APPEND text "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\n")
string(APPEND text "#include <array>\n\nnamespace cubicbench::${ROOM} {\nnamespace {\n${definitions}}  // namespace\n\n")
string(APPEND text "std::span<const support::EmbeddedFile> embedded_files() {\n")
string(APPEND text "  static const std::array<support::EmbeddedFile, ${index}> files{{\n${table}  }};\n  return files;\n}\n\n")
string(APPEND text "}  // namespace cubicbench::${ROOM}\n")
file(WRITE ${OUT} "${text}")
