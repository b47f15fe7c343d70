#include "datasets/logs/log_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/json/canonical.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {

using Json = nlohmann::ordered_json;

std::optional<Json> parsed_record(std::string_view text, std::size_t line, LogRecorder& out) {
  try {
    Json record = support::parse_json(text, line_of(out.run().file, line));
    if (record.is_object()) return record;
    out.not_understood(line, "a record that is no JSON object");
  } catch (const support::InputError& error) {
    out.not_understood(line, "a record that is no JSON: " + error.problems().front().text);
  }
  return std::nullopt;
}

std::optional<Json> parsed_document(std::string_view bytes, LogRecorder& out) {
  try {
    return support::parse_json(bytes, out.run().file);
  } catch (const support::InputError& error) {
    for (const support::Problem& problem : error.problems()) {
      out.problem(0, problem.where + ": " + problem.text);
    }
  }
  return std::nullopt;
}

const Json* member(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string json_word(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return support::shortest(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return "";
}

std::optional<double> number_member(const Json& object, std::string_view name) {
  const Json* const found = member(object, name);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

}  // namespace cubicbench::datasets
