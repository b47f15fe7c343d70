#include "cli/options/output.h"

#include <filesystem>

#include "search/folder/search_folder.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/named_files.h"
#include "support/output_place.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::Above;

void look_at_file(const fs::path& path, const std::string& option, Above above) {
  support::require_file_place(path, option, above);
  if (!search::is_file_of_search(path)) return;
  throw support::InputError(option, "expected another file than those of a search, got " +
                                        support::in_quotes(support::shortened(path.string())));
}

void look_at_new_file(const fs::path& path, const std::string& option, Above above) {
  look_at_file(path, option, above);
  support::note_output(path, option);
}

}  // namespace

void look_at_output(Output output, const std::string& path, const std::string& option) {
  switch (output) {
    case Output::none:
      return;
    case Output::file:
      return look_at_new_file(path, option, Above::required);
    case Output::file_with_folder:
      return look_at_new_file(path, option, Above::made);
    case Output::updated_file:
      return look_at_file(path, option, Above::made);
    case Output::file_and_values:
      look_at_new_file(path, option, Above::required);
      return look_at_new_file(path + ".values", option, Above::required);
    case Output::markdown_page:
      look_at_new_file(path, option, Above::made);
      return support::require_folder_place(fs::path(path).replace_extension(), option);
    case Output::folder:
      return support::require_folder_place(path, option);
    case Output::new_folder:
      return support::require_new_folder_place(path, option);
  }
}

void write_output(const fs::path& path, std::string_view text) {
  support::make_folders(path.parent_path());
  support::write_file_atomic(path, text);
}

}  // namespace cubicbench::cli
