#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

/// What rows say of the table that they stand in.
struct TableName {
  std::string source;  ///< stem of its file: the key of "sources"
  std::string file;    ///< name of its file with extension, without folders
};

/// `file` as messages name it: a path, or the name of a table in the program, whose files end in
/// ".csv". `stem` as its reader has it.
TableName table_name(std::string_view file, std::string_view stem);

}  // namespace cubicbench::results
