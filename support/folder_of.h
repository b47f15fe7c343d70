#pragma once

#include <filesystem>

namespace cubicbench::support {

/// The folder that holds `path`, the working folder for a bare name.
inline std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace cubicbench::support
