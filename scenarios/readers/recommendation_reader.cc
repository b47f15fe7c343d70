#include "scenarios/readers/recommendation_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>

#include "scenarios/readers/table_set_reader.h"
#include "scenarios/readers/workload_reader.h"
#include "sim/workload/table_set.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::int64_t alike_max = 1'000'000;
constexpr std::int64_t history_max = 1 << 24;
constexpr std::string_view table_set_key = "table_set";

constexpr std::array<std::string_view, 2> arch_kinds{"residual", "mlp"};
constexpr std::array<std::string_view, 2> sequence_kinds{"transformer", "hstu"};
constexpr std::array<std::string_view, 4> interaction_kinds{"none", "dot", "cross", "stacked"};

sim::TableGroup read_group(const support::ValueReader& value) {
  support::ObjectReader in = value.object();
  const std::size_t before = in.problems().size();
  const sim::TableGroup group{.tables = in.integer("tables", 1, alike_max),
                              .rows = in.integer("rows", 1, table_rows_max),
                              .dim = in.integer("dim", 1, dim_max),
                              .pooling = in.number("pooling", support::above_zero, pooling_max),
                              .skew = in.number("skew", 0.0, sim::skew_max, 0.0),
                              .element_bytes = read_element_bytes(in),
                              .pooled = in.boolean("pooled", true)};
  if (!group.pooled && group.pooling < 1.0 && in.problems().size() == before) {
    in.problem("pooling", "expected at least one id of a table that is not pooled, got " +
                              support::shown(*in.raw("pooling")));
  }
  in.finish();
  return group;
}

std::vector<sim::TableGroup> read_groups(support::ObjectReader& in, std::string_view key) {
  const std::size_t before = in.problems().size();
  const std::vector<support::ValueReader> elements = in.array(key);
  if (elements.empty() && in.has(key) && in.problems().size() == before) {
    in.problem(key, "expected at least one group of tables, got []");
  }
  if (elements.size() > sim::table_groups_max) {
    in.problem(key, "expected at most " + std::to_string(sim::table_groups_max) +
                        " groups of tables, got " + std::to_string(elements.size()));
    return {};
  }
  std::vector<sim::TableGroup> groups;
  for (const support::ValueReader& element : elements) groups.push_back(read_group(element));
  return groups;
}

sim::Mlp read_mlp(support::ObjectReader& in) {
  const std::size_t before = in.problems().size();
  const std::vector<support::ValueReader> elements = in.array("widths");
  if (in.problems().size() == before &&
      (elements.empty() || elements.size() > sim::mlp_widths_max)) {
    in.problem("widths", "expected 1 to " + std::to_string(sim::mlp_widths_max) + " widths, got " +
                             std::to_string(elements.size()));
  }
  sim::Mlp mlp;
  for (const support::ValueReader& element : elements)
    mlp.widths.push_back(element.integer(1, width_max));
  // An arch without layers may not be used, but its width is asked for.
  if (mlp.widths.empty()) mlp.widths.push_back(1);
  return mlp;
}

/// The kind's index in `kinds`. Of an object of no such kind nothing else can be judged.
std::optional<std::size_t> read_kind(support::ObjectReader& in,
                                     std::span<const std::string_view> kinds,
                                     std::optional<std::size_t> otherwise = {}) {
  const std::size_t before = in.problems().size();
  const std::size_t kind = in.one_of("kind", kinds, otherwise);
  if (in.problems().size() == before) return kind;
  for (const std::string& key : in.keys()) in.allow(key);
  return std::nullopt;
}

sim::Arch read_arch(support::ObjectReader& in) {
  const auto kind = read_kind(in, arch_kinds, 0);
  if (!kind) return sim::ResidualArch{};
  if (*kind == 1) return read_mlp(in);
  return sim::ResidualArch{.layers = in.integer("layers", 1, layers_max),
                           .width = in.integer("width", 1, width_max),
                           .ffn_hidden = in.integer("ffn_hidden", 1, width_max)};
}

void read_dense(support::ObjectReader in, sim::Recommendation& model) {
  model.dense_inputs = in.integer("inputs", 1, width_max);
  model.dense = read_arch(in);
  in.finish();
}

sim::Arch read_over(support::ObjectReader in) {
  if (in.has("inputs")) {
    in.problem("inputs",
               "expected no inputs: they follow from the tables, the other archs and the "
               "interaction");
  }
  in.allow("inputs");
  sim::Arch arch = read_arch(in);
  in.finish();
  return arch;
}

sim::HistoryLengths read_lengths(support::ObjectReader& in) {
  return {.max = in.integer("max_tokens", 1, history_max, 0),
          .skew = in.number("length_skew", 0.0, sim::skew_max, 0.0)};
}

sim::SequenceArch read_hstu(support::ObjectReader& in) {
  return {.layers = in.integer("layers", 1, layers_max),
          .width = in.integer("width", 1, width_max),
          .heads = in.integer("heads", 1, heads_max),
          .kind = sim::SequenceLayer::hstu,
          .head_size = in.integer("head_size", 1, width_max)};
}

sim::SequenceArch read_transformer(support::ObjectReader& in) {
  const std::size_t before = in.problems().size();
  const sim::SequenceArch arch{.layers = in.integer("layers", 1, layers_max),
                               .width = in.integer("width", 1, width_max),
                               .heads = in.integer("heads", 1, heads_max),
                               .ffn_hidden = in.integer("ffn_hidden", 1, width_max)};
  if (in.problems().size() == before && in.has("heads") && arch.width % arch.heads != 0) {
    in.problem("heads", "expected a divisor of " + in.pointer() + "/width (" +
                            std::to_string(arch.width) + "), got " + std::to_string(arch.heads));
  }
  return arch;
}

sim::SequenceArch read_sequence(support::ObjectReader in) {
  const auto kind = read_kind(in, sequence_kinds, 0);
  sim::SequenceArch arch;
  if (kind) {
    arch = *kind == 1 ? read_hstu(in) : read_transformer(in);
    arch.lengths = read_lengths(in);
  }
  in.finish();
  return arch;
}

sim::StackedInteraction read_stacked(support::ObjectReader& in) {
  const std::size_t before = in.problems().size();
  sim::StackedInteraction stacked;
  stacked.layers = in.integer("layers", 1, layers_max);
  stacked.features = in.integer("features", 2, width_max);
  stacked.dim = in.integer("dim", 1, width_max);
  stacked.compressed = in.integer("compressed", 1, width_max);
  stacked.ffn_hidden = in.integer("ffn_hidden", 1, width_max);
  stacked.product_features = in.integer("product_features", 1, width_max);
  if (in.problems().size() == before && stacked.product_features >= stacked.features) {
    in.problem("product_features", "expected less than " + in.pointer() + "/features (" +
                                       std::to_string(stacked.features) + "), got " +
                                       std::to_string(stacked.product_features));
  }
  return stacked;
}

sim::Interaction read_of_kind(support::ObjectReader& in, std::size_t kind) {
  switch (kind) {
    case 1:
      return sim::DotInteraction{};
    case 2:
      return sim::CrossInteraction{.layers = in.integer("layers", 1, layers_max),
                                   .rank = in.integer("rank", 1, width_max)};
    case 3:
      return read_stacked(in);
    default:
      return std::monostate{};
  }
}

sim::Interaction read_interaction(support::ObjectReader in) {
  const auto kind = read_kind(in, interaction_kinds);
  sim::Interaction interaction = kind ? read_of_kind(in, *kind) : sim::Interaction{};
  in.finish();
  return interaction;
}

/// A dot product is of two rows of one width.
std::string unequal_widths(const sim::Recommendation& model) {
  std::set<std::int64_t> widths{sim::output_width(model.dense)};
  if (model.sequence) widths.insert(model.sequence->width);
  for (const sim::TableGroup& group : model.tables) {
    if (group.pooled) widths.insert(group.dim);
  }
  if (widths.size() == 1) return {};
  std::string text;
  for (const std::int64_t width : widths) {
    text += (text.empty() ? "" : ", ") + std::to_string(width);
  }
  return "expected one width of the pooled tables, the dense and the sequence arch, as \"dot\" "
         "multiplies them, got " +
         support::shortened(text);
}

}  // namespace

std::vector<sim::TableGroup> read_tables(support::ObjectReader& in, std::string_view key) {
  if (!in.has(table_set_key)) {
    in.allow(table_set_key);
    return read_groups(in, key);
  }
  if (in.has(key)) {
    in.problem(table_set_key, "expected one of " + std::string(key) + " and " +
                                  std::string(table_set_key) + ", got both");
  }
  in.allow(key);
  return read_table_set(in.object(table_set_key));
}

sim::Recommendation read_archs(support::ObjectReader& in) {
  sim::Recommendation model;
  read_dense(in.object("dense"), model);
  if (auto sequence = in.optional_object("sequence")) {
    model.sequence = read_sequence(std::move(*sequence));
  }
  if (auto interaction = in.optional_object("interaction")) {
    model.interaction = read_interaction(std::move(*interaction));
  }
  model.over = read_over(in.object("over"));
  return model;
}

Mismatch mismatch(const sim::Recommendation& model) {
  const bool unpooled = !std::ranges::all_of(model.tables, &sim::TableGroup::pooled);
  if (unpooled && !model.sequence) {
    return {.key = "sequence",
            .text = "expected an arch that reads the tables that are not pooled, got nothing"};
  }
  if (!unpooled && model.sequence) {
    return {.key = "sequence", .text = "expected no such arch, as all tables are pooled"};
  }
  if (model.sequence && model.sequence->lengths.max > 0 &&
      model.sequence->lengths.max < sim::sequence_tokens(model)) {
    return {.key = "sequence",
            .text = "expected max_tokens of at least the mean, " +
                    std::to_string(sim::sequence_tokens(model)) + " tokens, got " +
                    std::to_string(model.sequence->lengths.max)};
  }
  if (std::holds_alternative<sim::DotInteraction>(model.interaction)) {
    return {.key = "interaction", .text = unequal_widths(model)};
  }
  return {};
}

sim::Recommendation read_recommendation(support::ObjectReader& in) {
  const std::size_t before = in.problems().size();
  std::vector<sim::TableGroup> tables = read_tables(in, "tables");
  sim::Recommendation model = read_archs(in);
  model.tables = std::move(tables);
  if (in.problems().size() == before) {
    const Mismatch wrong = mismatch(model);
    if (!wrong.text.empty()) in.problem(wrong.key, wrong.text);
  }
  in.finish();
  return model;
}

}  // namespace cubicbench::scenarios
