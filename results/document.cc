#include "results/document.h"

#include <nlohmann/json.hpp>

#include "scenarios/canonical.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

void write(const Json& value, const std::string& indent, std::string& out) {
  if (!value.is_structured()) {
    // The library's own writer is not always the shortest one for floats.
    out += value.is_number_float() ? scenarios::shortest(value.get<double>()) : value.dump();
    return;
  }
  const bool is_object = value.is_object();
  out += is_object ? '{' : '[';
  const std::string inner = indent + "  ";
  std::string separator = "\n";
  for (const auto& [key, element] : value.items()) {
    out += separator + inner;
    if (is_object) {
      out += Json(key).dump() + ": ";
    }
    write(element, inner, out);
    separator = ",\n";
  }
  if (!value.empty()) {
    out += "\n" + indent;
  }
  out += is_object ? '}' : ']';
}

}  // namespace

nlohmann::ordered_json new_document(std::string_view kind) {
  return {{"schema", "cubicbench." + std::string(kind) + "/1"}, {"version", CUBICBENCH_VERSION}};
}

std::string document_text(const nlohmann::ordered_json& document) {
  std::string text;
  write(document, "", text);
  return text + "\n";
}

}  // namespace cubicbench::results
