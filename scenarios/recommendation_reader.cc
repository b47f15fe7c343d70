#include "scenarios/recommendation_reader.h"

#include "scenarios/workload_reader.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::size_t groups_max = sim::table_groups_max;
constexpr std::int64_t tables_max = 1'000'000;
constexpr std::int64_t rows_max = 1'000'000'000'000;
constexpr std::int64_t dim_max = 65'536;
constexpr double pooling_max = 10'000.0;

sim::TableGroup read_group(const ValueReader& value) {
  ObjectReader in = value.object();
  const sim::TableGroup group{.tables = in.integer("tables", 1, tables_max),
                              .rows = in.integer("rows", 1, rows_max),
                              .dim = in.integer("dim", 1, dim_max),
                              .pooling = in.number("pooling", above_zero, pooling_max)};
  in.finish();
  return group;
}

std::vector<sim::TableGroup> read_tables(ObjectReader& in) {
  const std::size_t before = in.problems().size();
  const std::vector<ValueReader> elements = in.array("tables");
  if (elements.empty() && in.has("tables") && in.problems().size() == before) {
    in.problem("tables", "expected at least one group of tables, got []");
  }
  if (elements.size() > groups_max) {
    in.problem("tables", "expected at most " + std::to_string(groups_max) +
                             " groups of tables, got " + std::to_string(elements.size()));
    return {};
  }
  std::vector<sim::TableGroup> groups;
  for (const ValueReader& element : elements) {
    groups.push_back(read_group(element));
  }
  return groups;
}

/// Layers and widths; `inputs` is the caller's.
sim::DenseArch read_stack(ObjectReader& in) {
  sim::DenseArch arch;
  arch.layers = in.integer("layers", 1, layers_max);
  arch.width = in.integer("width", 1, width_max);
  arch.ffn_hidden = in.integer("ffn_hidden", 1, width_max);
  return arch;
}

sim::DenseArch read_dense(ObjectReader in) {
  const std::int64_t inputs = in.integer("inputs", 1, width_max);
  sim::DenseArch arch = read_stack(in);
  arch.inputs = inputs;
  in.finish();
  return arch;
}

sim::DenseArch read_over(ObjectReader in) {
  if (in.has("inputs")) {
    in.problem("inputs",
               "expected no inputs: they are the pooled width of all tables plus "
               "/workload/dense/width");
  }
  in.allow("inputs");
  const sim::DenseArch arch = read_stack(in);
  in.finish();
  return arch;
}

}  // namespace

sim::Recommendation read_recommendation(ObjectReader& in) {
  sim::Recommendation model;
  model.tables = read_tables(in);
  model.dense = read_dense(in.object("dense"));
  model.over = read_over(in.object("over"));
  model.over.inputs = sim::pooled_width(model) + model.dense.width;
  in.finish();
  return model;
}

}  // namespace cubicbench::scenarios
