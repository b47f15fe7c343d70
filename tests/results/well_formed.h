#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::results {

/// Why `text` is no well-formed XML as we write it: tags that match, attributes in quotes, `<` and
/// `&` only where they may be. "" when it is. A declaration and a doctype may come first.
inline std::string xml_problem(std::string_view text) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '&') {
      const std::size_t end = text.find(';', at);
      if (end == std::string_view::npos || end - at > 8) return "a bare & at " + std::to_string(at);
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    for (char quote = 0; end < text.size() && (quote != 0 || text[end] != '>'); ++end) {
      const char c = text[end];
      if (quote != 0 && c == '<') return "< in an attribute at " + std::to_string(end);
      if (quote != 0) {
        quote = c == quote ? '\0' : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '<') {
        return "< in a tag at " + std::to_string(end);
      }
    }
    if (end == text.size()) return "a tag without its end at " + std::to_string(at);
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    const std::string name(
        tag.substr(tag.starts_with('/') ? 1 : 0,
                   tag.find_first_of(" \n\t/", 1) - (tag.starts_with('/') ? 1 : 0)));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else if (!tag.ends_with('/') && !tag.starts_with('?') && !tag.starts_with('!')) {
      open.push_back(name);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

}  // namespace cubicbench::results
