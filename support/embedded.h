#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace cubicbench::support {

/// One file of a room, as it stood in the source tree when the program was built.
struct EmbeddedFile {
  std::string_view path;  ///< from the room's folder, e.g. "hardware/h100-sxm-80gb.json"
  std::string_view text;
};

/// The file with that path; null where there is none.
inline const EmbeddedFile* find_embedded(std::span<const EmbeddedFile> files,
                                         std::string_view path) {
  const auto found = std::ranges::find(files, path, &EmbeddedFile::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace cubicbench::support
