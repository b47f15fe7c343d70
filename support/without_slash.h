#pragma once

#include <filesystem>

namespace cubicbench::support {

/// `path` without the '/' at the end that names of folders may have.
inline std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace cubicbench::support
