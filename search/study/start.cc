#include "search/study/start.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "support/input_error.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

constexpr std::array<std::string_view, 2> starts{"none", "baseline"};

}  // namespace

std::span<const std::string_view> start_names() { return starts; }

std::string_view name_of(Start start) { return starts[static_cast<std::size_t>(start)]; }

Start parse_start(std::string_view text, const std::string& where) {
  const auto found = std::ranges::find(starts, text);
  if (found != starts.end()) return static_cast<Start>(found - starts.begin());
  throw support::InputError(where, "expected " + support::expected_choice(starts) + ", got \"" +
                                       support::shortened(text) + "\"");
}

}  // namespace cubicbench::search
