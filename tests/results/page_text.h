#pragma once

#include <regex>
#include <string>

namespace cubicbench::results {

/// A page without what explains its words, for those who look for sentences.
inline std::string without_tooltips(const std::string& html) {
  static const std::regex tag("</?abbr[^>]*>");
  return std::regex_replace(html, tag, "");
}

}  // namespace cubicbench::results
