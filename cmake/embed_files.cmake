# cmake -DROOM=NAME -DROOT=DIR -DLIST=FILE -DOUT=FILE.cc -P embed_files.cmake
# Writes a C++ source of the room NAME with every file named in LIST (one absolute path a line, below ROOT) as bytes.
# Bytes rather than string literals: no quoting, no limit on the length of a literal.
file(STRINGS ${LIST} files)
set(definitions "")
set(table "")
set(index 0)
foreach(file IN LISTS files)
  file(RELATIVE_PATH path ${ROOT} ${file})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
  file(SIZE ${file} size)
  # The closing zero keeps the array of an empty file legal; the size leaves it out.
  string(APPEND definitions "constexpr unsigned char file_${index}[] = {\n${bytes}0x00};\n")
  string(APPEND table
         "    {\"${path}\", {reinterpret_cast<const char*>(file_${index}), sizeof(file_${index}) - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()

set(text "// Written by cmake/embed_files.cmake.\n#include \"${ROOM}/embedded.h\"\n\n")
string(APPEND text "#include <array>\n\nnamespace cubicbench::${ROOM} {\nnamespace {\n${definitions}}  // namespace\n\n")
string(APPEND text "std::span<const scenarios::EmbeddedFile> embedded_files() {\n")
string(APPEND text "  static const std::array<scenarios::EmbeddedFile, ${index}> files{{\n${table}  }};\n  return files;\n}\n\n")
string(APPEND text "}  // namespace cubicbench::${ROOM}\n")
file(WRITE ${OUT} "${text}")
