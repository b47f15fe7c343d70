#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cubicbench::search {

/// What a study begins with [docs/reference/search-folder.md].
enum class Start {
  none,      ///< what its searcher proposes
  baseline,  ///< trial 0 is the scenario's baseline, launched, charged and told like any other
};

/// "none", "baseline", in the order of the enum.
std::span<const std::string_view> start_names();
std::string_view name_of(Start start);
/// Throws InputError at `where`.
Start parse_start(std::string_view text, const std::string& where);

}  // namespace cubicbench::search
