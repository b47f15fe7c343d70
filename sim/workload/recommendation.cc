#include "sim/workload/recommendation.h"

#include <algorithm>
#include <cmath>

#include "sim/workload/arch_work.h"

namespace cubicbench::sim {
namespace {

template <typename Term>
auto over_groups(const Recommendation& model, Term term) {
  decltype(term(TableGroup{})) sum{};
  for (const TableGroup& group : model.tables) sum += term(group);
  return sum;
}

template <typename Term>
double over_archs(const Recommendation& model, Term term) {
  double sum = 0.0;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    sum += term(arch_work(model, static_cast<ModuleGroup>(i)));
  }
  return sum;
}

}  // namespace

std::int64_t output_width(const Arch& arch) {
  const auto* const mlp = std::get_if<Mlp>(&arch);
  return mlp != nullptr ? mlp->widths.back() : std::get<ResidualArch>(arch).width;
}

std::int64_t table_count(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.tables; });
}

double ids_per_sample(const Recommendation& model) {
  return over_groups(model,
                     [](const TableGroup& g) { return static_cast<double>(g.tables) * g.pooling; });
}

std::int64_t pooled_width(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.pooled ? g.tables * g.dim : 0; });
}

double table_parameters(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) {
    return static_cast<double>(g.tables) * static_cast<double>(g.rows) * static_cast<double>(g.dim);
  });
}

double exchanged_width(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) {
    return static_cast<double>(g.tables * g.dim) * (g.pooled ? 1.0 : g.pooling);
  });
}

std::int64_t sequence_tokens(const Recommendation& model) {
  double tokens = 0.0;
  for (const TableGroup& group : model.tables) {
    if (!group.pooled) tokens = std::max(tokens, std::ceil(group.pooling));
  }
  return static_cast<std::int64_t>(tokens);
}

std::int64_t token_width(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.pooled ? 0 : g.tables * g.dim; });
}

std::int64_t feature_count(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.pooled ? g.tables : 0; }) + 1 +
         (model.sequence ? 1 : 0);
}

std::int64_t feature_width(const Recommendation& model) {
  return pooled_width(model) + output_width(model.dense) +
         (model.sequence ? model.sequence->width : 0);
}

std::int64_t over_inputs(const Recommendation& model) {
  if (std::holds_alternative<DotInteraction>(model.interaction)) {
    const std::int64_t n = feature_count(model);
    return n * (n - 1) / 2 + output_width(model.dense);
  }
  if (const auto* const stacked = std::get_if<StackedInteraction>(&model.interaction)) {
    return stacked->features * stacked->dim;
  }
  return feature_width(model);
}

double dense_parameters(const Recommendation& model) { return over_archs(model, parameters_of); }

double mfu_flops_per_sample(const Recommendation& model) {
  return 3.0 * over_archs(model, forward_flops);
}

}  // namespace cubicbench::sim
