#include "datasets/mapping/measured_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "datasets/embedded.h"
#include "sim/base/check.h"

namespace cubicbench::datasets {

std::string_view measured_json(std::string_view name) {
  const std::string path = "measured/" + std::string(name);
  const auto files = embedded_files();
  const auto found = std::ranges::find(files, path, &support::EmbeddedFile::path);
  SIM_ASSERT(found != files.end(), path);
  return found->text;
}

std::string non_empty(support::ObjectReader& in, std::string_view key) {
  std::string text = in.string(key);
  if (text.empty() && in.has(key) && in.raw(key)->is_string()) {
    in.problem(key, "expected a text, got \"\"");
  }
  return text;
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
