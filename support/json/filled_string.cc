#include "support/json/filled_string.h"

#include <nlohmann/json.hpp>

namespace cubicbench::support {

std::string filled_string(ObjectReader& in, std::string_view key, std::string_view expected) {
  std::string text = in.string(key);
  if (text.empty() && in.has(key) && in.raw(key)->is_string()) {
    in.problem(key, "expected " + std::string(expected) + ", got \"\"");
  }
  return text;
}

}  // namespace cubicbench::support
