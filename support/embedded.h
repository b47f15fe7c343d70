#pragma once

#include <string_view>

namespace cubicbench::support {

/// One file of a room, as it stood in the source tree when the program was built.
struct EmbeddedFile {
  std::string_view path;  ///< from the room's folder, e.g. "hardware/h100-sxm-80gb.json"
  std::string_view text;
};

}  // namespace cubicbench::support
