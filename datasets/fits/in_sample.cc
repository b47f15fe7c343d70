#include "datasets/fits/in_sample.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "datasets/embedded.h"
#include "sim/base/check.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.in_sample/1"};
constexpr std::array<std::string_view, 3> names{"no", "partly", "yes"};

std::string non_empty(ObjectReader& in, std::string_view key) {
  std::string text = in.string(key);
  if (text.empty() && in.has(key) && in.raw(key)->is_string()) {
    in.problem(key, "expected a text, got \"\"");
  }
  return text;
}

std::vector<InSample> read_entries(ObjectReader& in, std::string_view key) {
  std::vector<InSample> entries;
  for (const support::ValueReader& value : in.array(key)) {
    ObjectReader entry = value.object();
    InSample read;
    read.name = non_empty(entry, "name");
    read.fitted = read_fitted(entry, "fitted");
    read.why = non_empty(entry, "why");
    entry.finish();
    entries.push_back(std::move(read));
  }
  return entries;
}

InSamples read_shipped() {
  constexpr std::string_view path = "measured/in_sample.json";
  const auto files = embedded_files();
  const auto found = std::ranges::find(files, path, &support::EmbeddedFile::path);
  SIM_ASSERT(found != files.end(), files.size());
  return read_in_samples(found->text, "datasets/" + std::string(path));
}

}  // namespace

std::string_view name_of(Fitted fitted) { return names[static_cast<std::size_t>(fitted)]; }

Fitted read_fitted(ObjectReader& in, std::string_view key) {
  return static_cast<Fitted>(in.one_of(key, names));
}

const InSample* find_in_sample(const std::vector<InSample>& among, std::string_view name) {
  const auto found = std::ranges::find(among, name, &InSample::name);
  return found == among.end() ? nullptr : &*found;
}

InSamples read_in_samples(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  InSamples read;
  read.sources = read_entries(in, "sources");
  read.parts = read_entries(in, "parts");
  in.finish();
  support::throw_if_any(problems);
  return read;
}

const InSamples& in_samples() {
  static const InSamples read = read_shipped();
  return read;
}

}  // namespace cubicbench::datasets
