#include "support/json/canonical.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/characters.h"

namespace cubicbench::support {
namespace {

using Json = nlohmann::ordered_json;

void append(std::string& out, const Json& value);

bool is_escaped(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  const auto plain = std::ranges::find_if(text, is_escaped);  // of most texts all
  out.append(text.begin(), plain);
  for (const char c : text.substr(static_cast<std::size_t>(plain - text.begin()))) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00" + hex_of(c);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void append_float(std::string& out, double value) {
  constexpr double two_63 = 9223372036854775808.0;
  if (value == std::trunc(value) && value >= -two_63 && value < 2.0 * two_63) {
    out += value < 0 ? std::to_string(static_cast<std::int64_t>(value))
                     : std::to_string(static_cast<std::uint64_t>(value));
    return;
  }
  out += shortest(value);
}

void append_object(std::string& out, const Json& object) {
  std::vector<const Json::object_t::value_type*> members;
  members.reserve(object.size());
  for (const auto& member : object.get_ref<const Json::object_t&>()) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return a->first < b->first; });
  char separator = '{';
  for (const auto* member : members) {
    out += separator;
    append_quoted(out, member->first);
    out += ':';
    append(out, member->second);
    separator = ',';
  }
  out += members.empty() ? "{}" : "}";
}

void append_array(std::string& out, const Json& array) {
  char separator = '[';
  for (const Json& element : array) {
    out += separator;
    append(out, element);
    separator = ',';
  }
  out += array.empty() ? "[]" : "]";
}

void append(std::string& out, const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return append_object(out, value);
    case Json::value_t::array:
      return append_array(out, value);
    case Json::value_t::string:
      return append_quoted(out, value.get_ref<const std::string&>());
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      return;
    case Json::value_t::number_integer:
      out += std::to_string(value.get<std::int64_t>());
      return;
    case Json::value_t::number_unsigned:
      out += std::to_string(value.get<std::uint64_t>());
      return;
    case Json::value_t::number_float:
      return append_float(out, value.get<double>());
    case Json::value_t::null:
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;  // the last two are no JSON and parse_json() makes neither
  }
  out += "null";
}

}  // namespace

std::string canonical(const Json& value) {
  std::string out;
  append(out, value);
  return out;
}

std::string shortest(double value) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string json_string(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

}  // namespace cubicbench::support
