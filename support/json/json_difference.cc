#include "support/json/json_difference.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "support/json/object_reader.h"

namespace cubicbench::support {
namespace {

using Json = nlohmann::ordered_json;
using Differences = std::vector<JsonDifference>;

/// `null` pointers for what is not there.
void compare(const Json* asked, const Json* found, const std::string& pointer,
             Differences& differences);

const Json* member(const Json& object, const std::string& key) {
  const auto place = object.find(key);
  return place == object.end() ? nullptr : &*place;
}

const Json* element(const Json& array, std::size_t index) {
  return index < array.size() ? &array[index] : nullptr;
}

void compare_objects(const Json& asked, const Json& found, const std::string& pointer,
                     Differences& differences) {
  for (const auto& [key, value] : asked.items()) {
    compare(&value, member(found, key), pointer + "/" + pointer_token(key), differences);
  }
  for (const auto& [key, value] : found.items()) {
    if (asked.contains(key)) continue;
    compare(nullptr, &value, pointer + "/" + pointer_token(key), differences);
  }
}

void compare_arrays(const Json& asked, const Json& found, const std::string& pointer,
                    Differences& differences) {
  const std::size_t before = differences.size();
  for (std::size_t i = 0; i < std::max(asked.size(), found.size()); ++i) {
    const Json* const one = element(asked, i);
    const Json* const other = element(found, i);
    const bool plain = !(one != nullptr ? one : other)->is_structured();
    if (plain && differences.size() > before) return;
    compare(one, other, pointer + "/" + std::to_string(i), differences);
  }
}

std::string shown_or_nothing(const Json* value) {
  return value == nullptr ? "nothing" : support::shown(*value);
}

void compare(const Json* asked, const Json* found, const std::string& pointer,
             Differences& differences) {
  const bool both = asked != nullptr && found != nullptr;
  if (both && asked->is_object() && found->is_object()) {
    compare_objects(*asked, *found, pointer, differences);
  } else if (both && asked->is_array() && found->is_array()) {
    compare_arrays(*asked, *found, pointer, differences);
  } else if (!both || *asked != *found) {
    differences.push_back({pointer, shown_or_nothing(asked), shown_or_nothing(found)});
  }
}

}  // namespace

std::vector<JsonDifference> differences(const Json& asked, const Json& found) {
  Differences differences;
  compare(&asked, &found, "", differences);
  return differences;
}

std::string text_of(const JsonDifference& difference) {
  return "expected " + difference.asked + ", got " + difference.found;
}

std::string other_bytes(std::string_view asked, std::string_view found) {
  const auto part = std::mismatch(asked.begin(), asked.end(), found.begin(), found.end());
  return "other bytes from byte " + std::to_string(part.first - asked.begin() + 1) + " on";
}

}  // namespace cubicbench::support
