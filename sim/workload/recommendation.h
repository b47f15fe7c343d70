#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubicbench::sim {

/// More shapes of tables than this are refused where models are read.
inline constexpr std::size_t table_groups_max = 16;

/// Embedding tables of one shape. A feature has one table; its ids are pooled to one row.
struct TableGroup {
  std::int64_t tables = 1;
  std::int64_t rows = 1;  ///< hash size of each
  std::int64_t dim = 1;   ///< D, elements a row
  double pooling = 1.0;   ///< mean ids a sample and table

  bool operator==(const TableGroup&) const = default;
};

/// A stack of residual layers width -> ffn_hidden -> width behind a projection of the inputs to
/// the width. All weights are used once a sample.
struct DenseArch {
  std::int64_t inputs = 1;      ///< features into the projection
  std::int64_t layers = 1;      ///< L
  std::int64_t width = 1;       ///< h
  std::int64_t ffn_hidden = 1;  ///< f

  bool operator==(const DenseArch&) const = default;
};

/// An ads model [DLRM19, section 2]: embedding tables for sparse features, a dense arch for
/// `dense.inputs` continuous ones, and an over arch that takes both, concatenated, to a click
/// probability. `over.inputs` is derived: the pooled width of all tables plus `dense.width`.
struct Recommendation {
  std::vector<TableGroup> tables;  ///< at most `table_groups_max`
  DenseArch dense;
  DenseArch over;

  bool operator==(const Recommendation&) const = default;
};

/// Sums over all tables: T, ids a sample, pooled elements a sample (sum of D), weights.
std::int64_t table_count(const Recommendation& model);
double ids_per_sample(const Recommendation& model);
std::int64_t pooled_width(const Recommendation& model);
double table_parameters(const Recommendation& model);

/// inputs h + L 2 h f.
double arch_parameters(const DenseArch& arch);

/// Weights of dense and over arch; with `table_parameters`, all of the model's.
double dense_parameters(const Recommendation& model);

/// Model FLOPs of one sample, forward and backward: 6 a dense weight [docs/models.md, Eq. R-1].
/// Pooling adds less than a thousandth and is left out.
double mfu_flops_per_sample(const Recommendation& model);

}  // namespace cubicbench::sim
