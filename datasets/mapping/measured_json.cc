#include "datasets/mapping/measured_json.h"

#include <array>
#include <nlohmann/json.hpp>

#include "datasets/embedded.h"
#include "sim/base/check.h"
#include "support/json/filled_string.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {

std::string_view measured_json(std::string_view name) {
  const std::string path = "measured/" + std::string(name);
  const support::EmbeddedFile* const found = support::find_embedded(embedded_files(), path);
  SIM_ASSERT(found != nullptr, path);
  return found->text;
}

void read_measured_object(std::string_view text, const std::string& file, std::string_view schema,
                          const std::function<void(support::ObjectReader&)>& read) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, file, "", problems);
  in.one_of("schema", std::array{schema});
  read(in);
  in.finish();
  support::throw_if_any(problems);
}

std::string non_empty(support::ObjectReader& in, std::string_view key) {
  return support::filled_string(in, key, "a text");
}

std::string cell_value(support::ObjectReader& in, std::string_view key) {
  const nlohmann::ordered_json* value = in.raw(key);
  if (value == nullptr) return in.string(key);  // which reports that it is missing
  if (value->is_string()) return non_empty(in, key);
  if (value->is_boolean() || value->is_number_integer()) return value->dump();
  in.problem(key, "expected a text, an integer, true or false, got " + support::shown(*value));
  return {};
}

}  // namespace cubicbench::datasets
