#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace cubicbench::sim {

/// More shapes of tables than this are refused where models are read.
inline constexpr std::size_t table_groups_max = 1024;

/// Embedding tables of one shape. A feature has one table.
struct TableGroup {
  std::int64_t tables = 1;
  std::int64_t rows = 1;  ///< hash size of each
  std::int64_t dim = 1;   ///< D, elements a row
  double pooling = 1.0;   ///< mean ids a sample and table
  /// a of the power law of accesses: the k-th most asked for row is asked for in proportion to
  /// k^-a; 0: all rows alike.
  double skew = 0.0;
  std::int64_t element_bytes = 0;  ///< of a stored weight; 0: as the plan says
  bool pooled =
      true;  ///< ids of a sample become one row; else the sequence arch reads each of them

  bool operator==(const TableGroup&) const = default;
};

/// A stack of residual layers width -> ffn_hidden -> width behind a projection of the inputs to
/// the width. All weights are used once a sample.
struct ResidualArch {
  std::int64_t layers = 1;      ///< L
  std::int64_t width = 1;       ///< h
  std::int64_t ffn_hidden = 1;  ///< f

  bool operator==(const ResidualArch&) const = default;
};

inline constexpr std::size_t mlp_widths_max = 8;

/// A perceptron: fully connected layers of these widths, each with an activation.
struct Mlp {
  std::vector<std::int64_t> widths;  ///< 1 to `mlp_widths_max` of them

  bool operator==(const Mlp&) const = default;
};

using Arch = std::variant<ResidualArch, Mlp>;

/// Inner products of all pairs of features [DLRM19, section 2.1.3], beside the dense arch's output.
/// Features are the pooled rows and the dense arch's output, all of one width.
struct DotInteraction {
  bool operator==(const DotInteraction&) const = default;
};

/// Low-rank cross layers x_0 (U V x + b) + x over all features in a row [DCNv2, section 3.2].
struct CrossInteraction {
  std::int64_t layers = 1;
  std::int64_t rank = 1;  ///< r: V is r x w, U is w x r

  bool operator==(const CrossInteraction&) const = default;
};

/// Stacked factorisation machines [Wukong24, section 3]: every layer turns n features of d elements
/// into as many, n_f of them by an MLP of h over the compressed products X X^T Y (Y: n x k), the
/// others by a linear combination of the n. Before the first, every pooled row is projected to d
/// elements, and all of them are combined to n.
struct StackedInteraction {
  std::int64_t layers = 1;
  std::int64_t features = 2;          ///< n
  std::int64_t dim = 1;               ///< d
  std::int64_t compressed = 1;        ///< k
  std::int64_t ffn_hidden = 1;        ///< h
  std::int64_t product_features = 1;  ///< n_f < n

  bool operator==(const StackedInteraction&) const = default;
};

/// None: pooled rows, the dense arch's and the sequence arch's output side by side.
using Interaction =
    std::variant<std::monostate, DotInteraction, CrossInteraction, StackedInteraction>;

enum class SequenceLayer : std::uint8_t {
  transformer,  ///< attention with a softmax, then an FFN
  hstu,         ///< attention whose output is gated, and nothing else [HSTU24, Eq. 1 to 3]
};

/// How long the histories of samples are, in tokens: the share of those shorter than x times the
/// longest is x^c, with c = mean / (max - mean): uniform where the mean is half of the longest, a
/// power law with many short ones below [docs/models.md, Eq. R-28].
struct HistoryLengths {
  std::int64_t max = 0;  ///< tokens of the longest; 0: all are as long as the mean
  /// a of the power law by which some lengths are more common in the data of one rank than others,
  /// each rank having favourites of its own; 0: lengths of a rank's samples are independent.
  double skew = 0.0;

  bool operator==(const HistoryLengths&) const = default;
};

/// Layers over the rows that are not pooled. Of transformers these are as many tokens as the
/// longest such feature has ids, each of all such features' rows side by side; of HSTU a token for
/// each id, features one after the other. Tokens are projected to the width. What leaves it is one
/// row of that width.
struct SequenceArch {
  std::int64_t layers = 1;
  std::int64_t width = 1;
  std::int64_t heads = 1;
  std::int64_t ffn_hidden = 1;  ///< of transformers
  SequenceLayer kind = SequenceLayer::transformer;
  std::int64_t head_size = 0;  ///< of HSTU: of queries, keys, values and gates
  HistoryLengths lengths{};

  bool operator==(const SequenceArch&) const = default;
};

/// An ads model [DLRM19, section 2]: embedding tables for sparse features, a dense arch for
/// continuous ones, a sequence arch for those whose ids are read one by one, an interaction of all
/// of them, and an over arch that makes a click probability of it.
struct Recommendation {
  std::vector<TableGroup> tables;  ///< at most `table_groups_max`
  std::int64_t dense_inputs = 1;   ///< continuous features
  Arch dense;
  std::optional<SequenceArch> sequence;  ///< there if and only if some table is not pooled
  Interaction interaction;
  Arch over;

  bool operator==(const Recommendation&) const = default;
};

/// The parts that have weights of their own and a `*_sharding` setting each, in the order of the
/// forward pass.
enum class ModuleGroup : std::uint8_t { dense, sequence, interaction, over };
inline constexpr std::size_t module_group_count = 4;

/// Elements a sample that leave it.
std::int64_t output_width(const Arch& arch);

/// Sums over all tables: T, ids a sample, pooled elements a sample (sum of D), weights.
std::int64_t table_count(const Recommendation& model);
double ids_per_sample(const Recommendation& model);
std::int64_t pooled_width(const Recommendation& model);
double table_parameters(const Recommendation& model);

/// Elements a sample that leave the tables for the rank whose sample it is: D a table, D an id of
/// tables that are not pooled.
double exchanged_width(const Recommendation& model);

/// Of the rows that are not pooled: mean tokens a sample, and elements a token.
std::int64_t sequence_tokens(const Recommendation& model);
std::int64_t token_width(const Recommendation& model);

/// The mean of the k-th power of the length of a history, in powers of the mean length: 1 where all
/// are equally long [docs/models.md, Eq. R-28]. Requires k >= 1.
double length_moment(const Recommendation& model, int power);

/// How alike the lengths of one rank's histories are: the probability that two of them are of one
/// length because that is common there [docs/models.md, Eq. R-29].
double lengths_together(const Recommendation& model);

/// Pooled rows, and one each of the dense and the sequence arch.
std::int64_t feature_count(const Recommendation& model);

/// Elements a sample that enter the interaction, and that enter the over arch.
std::int64_t feature_width(const Recommendation& model);
std::int64_t over_inputs(const Recommendation& model);

/// Weights of all parts but the tables.
double dense_parameters(const Recommendation& model);

/// Model FLOPs of one sample, forward and backward: three times the products of the forward pass
/// [docs/models.md, Eq. R-1]. Pooling adds less than a thousandth and is left out.
double mfu_flops_per_sample(const Recommendation& model);

/// How often the rows of a table are asked for: the k-th most popular of N in proportion to k^-a
/// [docs/models.md, Eq. ]. Sums over rows are taken as integrals from 1/2 to N + 1/2.
struct RowAccess {
  double rows = 1.0;  ///< N
  double skew = 0.0;  ///< a >= 0

  bool operator==(const RowAccess&) const = default;
};

/// Share of the accesses that go to the `cached` most popular rows.
double hit_share(const RowAccess& access, double cached);

/// Rows that `draws` independent accesses touch, each counted once: sum of 1 - exp(-n p_k), with
/// 1 - exp(-u) as u - 0.37 u^2 up to u = 1 and 1 - 0.37 u^-2 beyond: at most
/// 8 % from it, and 5 % in sums over a power law; exactly where all rows are alike. At most N and
/// at most `draws`.
double distinct_rows(const RowAccess& access, double draws);

}  // namespace cubicbench::sim
