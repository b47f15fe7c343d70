#include "scenarios/readers/fitted_description.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

constexpr int digits = 4;
constexpr double integer_max = 1e15;

/// Whole numbers without a point, as files have them.
Json number_json(double value) {
  const double rounded = four_digits(value);
  if (std::floor(rounded) == rounded && std::abs(rounded) < integer_max) {
    return static_cast<std::int64_t>(rounded);
  }
  return rounded;
}

/// `json[key]`, a new one before "sources".
Json& member(Json& json, const std::string& key) {
  if (json.contains(key)) return json[key];
  Json wider = Json::object();
  for (const auto& [name, value] : json.items()) {
    if (name == "sources") wider[key] = nullptr;
    wider[name] = value;
  }
  json = std::move(wider);
  return json[key];
}

/// The sources of a table's entries; a text that stood for all of them is then that of each.
Json& entry_sources(Json& json, const std::string& table) {
  Json& source = json["sources"][table];
  if (source.is_object()) return source;
  const Json of_all = source;
  source = Json::object();
  if (of_all.is_string()) {
    for (const auto& [entry, value] : json[table].items()) source[entry] = of_all;
  }
  return source;
}

std::string source_of(const FittedNumber& number) { return number.interval + "; " + number.source; }

void set_entry(Json& json, const FittedNumber& number, std::size_t dot) {
  const std::string table = number.name.substr(0, dot);
  const std::string entry = number.name.substr(dot + 1);
  Json& values = member(json, table);
  if (!values.is_object()) values = Json::object();
  entry_sources(json, table)[entry] = source_of(number);
  json[table][entry] = number_json(number.value);
}

}  // namespace

double four_digits(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, digits - 1);
  double rounded = value;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

std::string described_name(const Document& document) {
  const Json json = support::parse_json(document.text, document.file);
  const bool named = json.is_object() && json.contains("name") && json["name"].is_string();
  return named ? json["name"].get<std::string>() : std::string();
}

std::string with_fitted(const Document& document, std::span<const FittedNumber> numbers) {
  Json json = support::parse_json(document.text, document.file);
  if (!json.contains("sources")) json["sources"] = Json::object();  // all is from its base
  for (const FittedNumber& number : numbers) {
    const std::size_t dot = number.name.find('.');
    if (dot != std::string::npos) {
      set_entry(json, number, dot);
      continue;
    }
    member(json, number.name) = number_json(number.value);
    json["sources"][number.name] = source_of(number);
  }
  return json.dump(2) + "\n";  // numbers as they stood
}

}  // namespace cubicbench::scenarios
