#include "search/study/start.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "support/input_error.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

constexpr std::array<std::string_view, 2> names{"none", "baseline"};

}  // namespace

std::span<const std::string_view> start_names() { return names; }

std::string_view name_of(Start start) { return names[static_cast<std::size_t>(start)]; }

Start parse_start(std::string_view text, const std::string& where) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<Start>(found - names.begin());
  throw support::InputError(where, "expected " + support::expected_choice(names) + ", got \"" +
                                       support::shortened(text) + "\"");
}

}  // namespace cubicbench::search
