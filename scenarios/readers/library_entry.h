#pragma once

#include <string>
#include <string_view>

#include "scenarios/catalog.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// A description that was looked up: its text and how messages name it.
struct Document {
  std::string file;       ///< "scenarios/hardware/x.json", or the path
  std::string directory;  ///< that relative paths in it start from; "" is the working folder
  std::string text;
};

/// Anything with a '/' is a path.
bool is_path(std::string_view name);

/// `path` as seen from `directory` ("" for the working folder).
std::string joined(const std::string& directory, std::string_view path);

/// Looks `name` up: a name on the library's shelf, or a path relative to `directory`.
/// Throws InputError: at `where` for an unknown name, at the path for a file that cannot be read.
Document find_document(Kind kind, const std::string& name, const std::string& directory,
                       const std::string& where);

}  // namespace cubicbench::scenarios
