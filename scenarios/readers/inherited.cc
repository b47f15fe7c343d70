#include "scenarios/readers/inherited.h"

#include <nlohmann/json.hpp>
#include <string>

#include "support/input_error.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

constexpr int bases_max = 8;

/// What is the file's own in any case.
bool is_own(const std::string& key) {
  return key == "schema" || key == "name" || key == "summary" || key == "version" || key == "base";
}

/// Entries of `base` that `json` has not.
void add_missing(const Json& base, Json& json) {
  for (const auto& [key, value] : base.items()) {
    if (is_own(key)) continue;
    if (!json.contains(key)) {
      json[key] = value;
    } else if (json[key].is_object() && value.is_object()) {
      add_missing(value, json[key]);
    }
  }
}

Json inherited(const Document& document, Kind kind, int bases) {
  Json json = support::parse_json(document.text, document.file);
  if (!json.is_object() || !json.contains("base") || !json["base"].is_string()) return json;
  const std::string where = document.file + "#/base";
  if (bases == bases_max) {
    throw support::InputError(where, "expected at most " + std::to_string(bases_max) +
                                         " descriptions that each stand on the next");
  }
  const Document base =
      find_document(kind, json["base"].get<std::string>(), document.directory, where);
  add_missing(inherited(base, kind, bases + 1), json);
  json.erase("base");
  return json;
}

}  // namespace

Json with_inherited(const Document& document, Kind kind) { return inherited(document, kind, 0); }

}  // namespace cubicbench::scenarios
