#include "search/json_difference.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "scenarios/object_reader.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* nothing = "nothing";

std::optional<JsonDifference> difference_at(const Json& asked, const Json& found,
                                            const std::string& pointer);

std::optional<JsonDifference> member_difference(const Json& asked, const Json& found,
                                                const std::string& pointer) {
  for (const auto& [key, value] : asked.items()) {
    const std::string place = pointer + "/" + scenarios::pointer_token(key);
    const auto other = found.find(key);
    if (other == found.end()) return JsonDifference{place, scenarios::shown(value), nothing};
    if (auto difference = difference_at(value, *other, place)) return difference;
  }
  for (const auto& [key, value] : found.items()) {
    if (!asked.contains(key)) {
      return JsonDifference{pointer + "/" + scenarios::pointer_token(key), nothing,
                            scenarios::shown(value)};
    }
  }
  return std::nullopt;
}

std::optional<JsonDifference> element_difference(const Json& asked, const Json& found,
                                                 const std::string& pointer) {
  for (std::size_t i = 0; i < std::max(asked.size(), found.size()); ++i) {
    const std::string place = pointer + "/" + std::to_string(i);
    if (i >= found.size()) return JsonDifference{place, scenarios::shown(asked[i]), nothing};
    if (i >= asked.size()) return JsonDifference{place, nothing, scenarios::shown(found[i])};
    if (auto difference = difference_at(asked[i], found[i], place)) return difference;
  }
  return std::nullopt;
}

std::optional<JsonDifference> difference_at(const Json& asked, const Json& found,
                                            const std::string& pointer) {
  if (asked.is_object() && found.is_object()) return member_difference(asked, found, pointer);
  if (asked.is_array() && found.is_array()) return element_difference(asked, found, pointer);
  if (asked == found) return std::nullopt;
  return JsonDifference{pointer, scenarios::shown(asked), scenarios::shown(found)};
}

}  // namespace

std::optional<JsonDifference> first_difference(const Json& asked, const Json& found) {
  return difference_at(asked, found, "");
}

std::string text_of(const JsonDifference& difference) {
  return "expected " + difference.asked + ", got " + difference.found;
}

}  // namespace cubicbench::search
