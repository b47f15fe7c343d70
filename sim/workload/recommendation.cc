#include "sim/workload/recommendation.h"

namespace cubicbench::sim {
namespace {

template <typename Term>
auto over_groups(const Recommendation& model, Term term) {
  decltype(term(TableGroup{})) sum{};
  for (const TableGroup& group : model.tables) {
    sum += term(group);
  }
  return sum;
}

}  // namespace

std::int64_t table_count(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.tables; });
}

double ids_per_sample(const Recommendation& model) {
  return over_groups(model,
                     [](const TableGroup& g) { return static_cast<double>(g.tables) * g.pooling; });
}

std::int64_t pooled_width(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.tables * g.dim; });
}

double table_parameters(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) {
    return static_cast<double>(g.tables) * static_cast<double>(g.rows) * static_cast<double>(g.dim);
  });
}

double arch_parameters(const DenseArch& arch) {
  const auto h = static_cast<double>(arch.width);
  return static_cast<double>(arch.inputs) * h +
         2.0 * static_cast<double>(arch.layers) * h * static_cast<double>(arch.ffn_hidden);
}

double dense_parameters(const Recommendation& model) {
  return arch_parameters(model.dense) + arch_parameters(model.over);
}

double mfu_flops_per_sample(const Recommendation& model) { return 6.0 * dense_parameters(model); }

}  // namespace cubicbench::sim
