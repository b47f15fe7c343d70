#pragma once

#include <ranges>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// The texts in a row, `separator` between them.
template <std::ranges::input_range Texts>
std::string joined(const Texts& texts, std::string_view separator) {
  std::string all;
  bool first = true;
  for (const std::string_view text : texts) {
    if (!first) all += separator;
    all += text;
    first = false;
  }
  return all;
}

}  // namespace cubicbench::support
