#include "results/layout/page_files.h"

#include <system_error>

#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

void make_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) {
    throw support::OutputError("cannot write " + folder.string() + ": " +
                               std::generic_category().message(error.value()));
  }
}

}  // namespace

std::vector<std::string> write_page(const std::filesystem::path& page, const std::string& html,
                                    std::span<const PageFile> files) {
  make_folder_of(page);
  std::vector<std::string> written{page.filename().string()};
  for (const PageFile& file : files) {
    support::write_file_atomic(page.parent_path() / file.name, file.text);
    written.push_back(file.name);
  }
  support::write_file_atomic(page, html);
  return written;
}

}  // namespace cubicbench::results
