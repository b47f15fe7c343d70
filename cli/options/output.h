#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cubicbench::cli {

/// What the value of an option names that the command writes.
enum class Output {
  none,
  file,              ///< whose folder is there
  file_with_folder,  ///< whose folder is made where it is missing
  file_and_values,   ///< with a file of values beside it: `a.json`, `a.json.values`
  markdown_page,     ///< made likewise, with a folder of figures beside it: `a/page.md`, `a/page/`
  folder,            ///< made where it is missing, and added to
  new_folder,        ///< that appears with all of its files
  updated_file       ///< its folder is made; may be a file that is read, as its next version
};

/// Checks `path` before any work is done: the output can be written, no input is overwritten, and
/// it is not a file of a search. Throws InputError and OutputError, naming `option`.
void look_at_output(Output output, const std::string& path, const std::string& option);

/// Writes the file, and makes its folder where it is missing. Throws OutputError.
void write_output(const std::filesystem::path& path, std::string_view text);

}  // namespace cubicbench::cli
