#include "support/folders.h"

#include <system_error>

#include "support/input_error.h"

namespace cubicbench::support {

void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) {
    throw OutputError("cannot write " + folder.string() + ": " +
                      std::generic_category().message(error.value()));
  }
}

}  // namespace cubicbench::support
