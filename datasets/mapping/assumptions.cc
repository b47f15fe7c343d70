#include "datasets/mapping/assumptions.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/embedded.h"
#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"
#include "sim/base/check.h"

namespace cubicbench::datasets {
namespace {

using scenarios::ObjectReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.assumptions/1"};

std::string non_empty(ObjectReader& in, std::string_view key) {
  std::string text = in.string(key);
  if (text.empty() && in.has(key) && in.raw(key)->is_string()) {
    in.problem(key, "expected a text, got \"\"");
  }
  return text;
}

/// A cell holds text; a file of assumptions may say 1, true or "none".
std::string cell_text(ObjectReader& in, std::string_view key) {
  const nlohmann::ordered_json* value = in.raw(key);
  if (value == nullptr) return in.string(key);  // which reports that it is missing
  if (value->is_string()) return non_empty(in, key);
  if (value->is_boolean() || value->is_number_integer()) return value->dump();
  in.problem(key, "expected a text, an integer, true or false, got " + scenarios::shown(*value));
  return {};
}

Assumption read_column(ObjectReader in) {
  Assumption column{
      .name = non_empty(in, "name"), .value = cell_text(in, "value"), .why = non_empty(in, "why")};
  in.finish();
  return column;
}

AssumedStack read_stack(ObjectReader in) {
  AssumedStack stack{.stack = non_empty(in, "stack"),
                     .simulated_by = non_empty(in, "simulated_by"),
                     .columns = {}};
  for (const scenarios::ValueReader& column : in.array("columns")) {
    stack.columns.push_back(read_column(column.object()));
  }
  in.finish();
  return stack;
}

AssumedNetwork read_network(ObjectReader in) {
  AssumedNetwork network{.device = non_empty(in, "device"),
                         .fabric = in.string("fabric"),
                         .network = non_empty(in, "network"),
                         .why = non_empty(in, "why")};
  in.finish();
  return network;
}

AssumedModel read_model(ObjectReader in) {
  AssumedModel model{.model = non_empty(in, "model"),
                     .gated_ffn = in.boolean("gated_ffn"),
                     .tied_embeddings = in.boolean("tied_embeddings"),
                     .why = non_empty(in, "why")};
  in.finish();
  return model;
}

Assumptions read_shipped() {
  constexpr std::string_view path = "measured/assumptions.json";
  const auto files = embedded_files();
  const auto* const found =
      std::find_if(files.data(), files.data() + files.size(),
                   [&](const scenarios::EmbeddedFile& file) { return file.path == path; });
  SIM_ASSERT(found != files.data() + files.size(), files.size());
  return read_assumptions(found->text, "datasets/" + std::string(path));
}

}  // namespace

Assumptions read_assumptions(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = scenarios::parse_json(text, file);
  std::vector<scenarios::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  Assumptions read;
  for (const scenarios::ValueReader& entry : in.array("stacks")) {
    read.stacks.push_back(read_stack(entry.object()));
  }
  for (const scenarios::ValueReader& entry : in.array("networks")) {
    read.networks.push_back(read_network(entry.object()));
  }
  for (const scenarios::ValueReader& entry : in.array("models")) {
    read.models.push_back(read_model(entry.object()));
  }
  in.finish();
  scenarios::throw_if_any(problems);
  return read;
}

const Assumptions& assumptions() {
  static const Assumptions read = read_shipped();
  return read;
}

}  // namespace cubicbench::datasets
