#include "support/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "support/input_error.h"

namespace cubicbench::support {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code none;
  const fs::path above = fs::temp_directory_path(none);
  std::string name = ((none ? fs::path("/tmp") : above) / "cubicbench.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw OutputError("cannot make a folder " + name + ": " +
                      std::generic_category().message(errno));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace cubicbench::support
