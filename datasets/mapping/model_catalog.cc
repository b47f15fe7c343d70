#include "datasets/mapping/model_catalog.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/mapping/measured_json.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using support::ValueReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.models/1"};
constexpr std::string_view shipped = "models.json";
constexpr std::array<std::string_view, 4> ffn_rules{"published", "4 h", "8/3 h", "3.5 h"};
constexpr std::int64_t count_max = 1'000'000'000;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_letter(char letter) { return letter >= 'a' && letter <= 'z'; }
char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// A point between digits belongs to a number.
bool is_point(std::string_view text, std::size_t at) {
  return text[at] == '.' && at > 0 && at + 1 < text.size() && is_digit(text[at - 1]) &&
         is_digit(text[at + 1]);
}

std::optional<std::int64_t> optional_count(ObjectReader& in, std::string_view key) {
  if (!in.has(key)) {
    in.allow(key);
    return std::nullopt;
  }
  return in.integer(key, 1, count_max);
}

ModelSize read_size(ObjectReader in) {
  ModelSize size{.name = model_words(non_empty(in, "name")),
                 .layers = optional_count(in, "layers"),
                 .hidden = optional_count(in, "hidden"),
                 .heads = optional_count(in, "heads"),
                 .kv_heads = optional_count(in, "kv_heads"),
                 .head_size = optional_count(in, "head_size"),
                 .ffn = optional_count(in, "ffn"),
                 .vocabulary = optional_count(in, "vocabulary"),
                 .mixture = read_mixture(in),
                 .why = non_empty(in, "why")};
  in.finish();
  return size;
}

ModelWidth read_width(ObjectReader in) {
  ModelWidth width{.when = read_conditions(in, "when"),
                   .hidden = in.integer("hidden", 1, count_max),
                   .heads = optional_count(in, "heads"),
                   .why = non_empty(in, "why")};
  in.finish();
  return width;
}

std::vector<std::string> read_names(ObjectReader& in) {
  std::vector<std::string> names;
  for (const ValueReader& name : in.array("names")) {
    const std::string words = model_words(name.string());
    if (words.size() < 3) name.problem("expected a text with letters or digits");
    names.push_back(words);
  }
  return names;
}

ModelFamily read_family(ObjectReader in) {
  ModelFamily family;
  family.names = read_names(in);
  family.needs = in.string("needs", "");
  const bool is_modelled = family.needs.empty();
  if (!is_modelled) family.has_experts = in.boolean("has_experts", false);
  if (is_modelled) {
    family.gated_ffn = in.boolean("gated_ffn");
    family.tied_embeddings = in.boolean("tied_embeddings");
    family.fused_activation = in.boolean("fused_activation", true);
    family.vocabulary = optional_count(in, "vocabulary");
    family.head_size = optional_count(in, "head_size");
    family.ffn = static_cast<FfnRule>(in.one_of("ffn", ffn_rules));
    family.mixture = read_mixture(in);
    for (const ValueReader& size : in.optional_array("sizes")) {
      family.sizes.push_back(read_size(size.object()));
    }
    for (const ValueReader& width : in.optional_array("widths")) {
      family.widths.push_back(read_width(width.object()));
    }
  }
  family.why = non_empty(in, "why");
  in.finish();
  return family;
}

}  // namespace

std::string model_words(std::string_view name) {
  std::string words = " ";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char letter = lower(name[i]);
    if (is_letter(letter) || is_digit(letter) || is_point(name, i)) {
      if (is_digit(letter) && is_letter(words.back())) words += ' ';
      words += letter;
    } else if (words.back() != ' ') {
      words += ' ';
    }
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

ModelCatalog read_model_catalog(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  ModelCatalog read;
  for (const ValueReader& entry : in.array("families")) {
    read.families.push_back(read_family(entry.object()));
  }
  in.finish();
  support::throw_if_any(problems);
  return read;
}

const ModelCatalog& model_catalog() {
  static const ModelCatalog read =
      read_model_catalog(measured_json(shipped), measured_json_path(shipped));
  return read;
}

const ModelFamily* find_family(const ModelCatalog& catalog, std::string_view model) {
  const std::string words = model_words(model);
  const auto has = [&](const std::string& name) { return words.find(name) != std::string::npos; };
  const auto found = std::ranges::find_if(catalog.families, [&](const ModelFamily& family) {
    return std::ranges::any_of(family.names, has);
  });
  return found == catalog.families.end() ? nullptr : &*found;
}

const ModelSize* find_size(const ModelFamily& family, std::string_view model) {
  const std::string words = model_words(model);
  const auto found = std::ranges::find_if(family.sizes, [&](const ModelSize& size) {
    return words.find(size.name) != std::string::npos;
  });
  return found == family.sizes.end() ? nullptr : &*found;
}

std::optional<std::int64_t> ffn_width(FfnRule rule, std::int64_t hidden) {
  switch (rule) {
    case FfnRule::published:
      return std::nullopt;
    case FfnRule::four_hidden:
      return 4 * hidden;
    case FfnRule::eight_thirds:
      return ((8 * hidden + 2) / 3 + 255) / 256 * 256;
    case FfnRule::seven_halves:
      return 7 * hidden / 2;
  }
  return std::nullopt;
}

}  // namespace cubicbench::datasets
