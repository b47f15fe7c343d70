#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::scenarios {

/// The shelves of the library that is compiled into the program.
enum class Kind { scenario, device, network, stack, campaign, collectives };

struct Entry {
  std::string name;
  std::string summary;
};

/// Every entry of one shelf, sorted by name.
std::vector<Entry> names(Kind kind);

/// The JSON text of a library entry; nothing when there is no such name.
std::optional<std::string_view> text(Kind kind, std::string_view name);

/// "scenario", "device", "network", "stack", "campaign", "collective costs".
std::string_view name_of(Kind kind);

/// Where a library entry stands in the source tree, which is how messages name it:
/// "scenarios/hardware/h100-sxm-80gb.json".
std::string file_of(Kind kind, std::string_view name);

}  // namespace cubicbench::scenarios
