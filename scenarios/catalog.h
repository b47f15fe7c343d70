#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::scenarios {

/// The shelves of the library that is compiled into the program.
enum class Kind {
  scenario,
  device,
  network,
  stack,
  campaign,
  collectives,
  suite,
  family,  ///< a distribution over scenarios
  members  ///< which members of a family were accepted; an entry has the name of its family
};

struct Entry {
  std::string name;
  std::string summary;
};

/// Every entry of one shelf, sorted by name.
std::vector<Entry> names(Kind kind);

/// The JSON text of a library entry; nothing when there is no such name.
std::optional<std::string_view> text(Kind kind, std::string_view name);

/// "scenario", "device", "network", "stack", "campaign", "collective costs", "suite", "family",
/// "members".
std::string_view name_of(Kind kind);

/// Where a library entry stands in the source tree, which is how messages name it:
/// "scenarios/hardware/h100-sxm-80gb.json".
std::string file_of(Kind kind, std::string_view name);

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
