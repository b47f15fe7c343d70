#pragma once

#include <functional>
#include <ranges>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// `text_of` each of the items in a row, `separator` between them.
template <std::ranges::input_range Items, typename TextOf = std::identity>
std::string joined(const Items& items, std::string_view separator, TextOf text_of = {}) {
  std::string all;
  bool first = true;
  for (const auto& item : items) {
    if (!first) all += separator;
    all += std::invoke(text_of, item);
    first = false;
  }
  return all;
}

}  // namespace cubicbench::support
