#include "scenarios/readers/description.h"

#include <array>
#include <nlohmann/json.hpp>

#include "scenarios/readers/description_reader.h"
#include "support/json/filled_string.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array first_of_all{1};

}  // namespace

Description::Description(const nlohmann::ordered_json& json, const std::string& file,
                         std::string_view schema, std::span<const int> versions,
                         std::vector<support::Problem>& problems)
    : in_(json, file, "", problems) {
  std::vector<std::string> texts;
  for (const int version : versions) {
    texts.push_back(std::string(schema) + "/" + std::to_string(version));
  }
  const std::vector<std::string_view> choices(texts.begin(), texts.end());
  version_ = versions[in_.one_of("schema", choices)];
  in_.allow("version");
  name_ = in_.string("name");
  check_name(name_, in_.where("name"), problems);
  in_.string("summary", "");
}

Description::Description(const nlohmann::ordered_json& json, const std::string& file, Kind kind,
                         std::vector<support::Problem>& problems)
    : Description(json, file, "cubicbench." + std::string(name_of(kind)), first_of_all, problems) {}

double Description::number(std::string_view key, double min, double max,
                           std::optional<double> otherwise) {
  cite(key, !otherwise);
  return in_.number(key, min, max, otherwise);
}

int Description::integer(std::string_view key, int min, int max, std::optional<int> otherwise) {
  cite(key, !otherwise);
  return static_cast<int>(in_.integer(key, min, max, otherwise));
}

bool Description::boolean(std::string_view key, bool otherwise) {
  cite(key);
  return in_.boolean(key, otherwise);
}

support::ObjectReader Description::object(std::string_view key) {
  cite(key, true);
  return in_.object(key);
}

void Description::finish() {
  support::ObjectReader sources = in_.object("sources");
  if (in_.has("sources")) {
    for (const std::string& key : cited_) require_source(sources, key);
  }
  sources.finish();
  in_.finish();
}

void Description::cite(std::string_view key, bool required) {
  if (required || in_.has(key)) cited_.emplace_back(key);
}

/// One text, or of a table a text an entry that is no text itself.
void Description::require_source(support::ObjectReader& sources, const std::string& key) {
  const nlohmann::ordered_json* const described = in_.raw(key);
  const nlohmann::ordered_json* const source = sources.raw(key);
  const bool of_table = described != nullptr && described->is_object();
  if (!of_table || source == nullptr || !source->is_object()) return require_text(sources, key);
  support::ObjectReader entries = sources.object(key);
  for (const auto& [entry, value] : described->items()) {
    if (!value.is_string()) require_text(entries, entry);
  }
  entries.finish();
}

void Description::require_text(support::ObjectReader& sources, const std::string& key) {
  support::filled_string(sources, key, "the source of \"" + key + "\"");
}

}  // namespace cubicbench::scenarios
