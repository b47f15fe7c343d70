#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// A positive size that differs from table to table: log-normal, cut off at both ends.
struct SizeSpread {
  double sigma = 1.0;  ///< standard deviation of its natural logarithm
  double min = 1.0;
  double max = 1.0;
};

/// How often ids of one batch ask for the same row again: ids over distinct rows, all tables.
struct RowReuse {
  double batch = 1.0;  ///< samples
  double mean = 1.0;
};

inline constexpr double skew_max = 4.0;
inline constexpr double set_rows_min = 10.0;
inline constexpr double set_pooling_min = 1.0;

/// What is published of sets of many tables whose single shapes are not.
struct TableSetStatistics {
  std::uint64_t seed = 0;
  std::int64_t tables = 1;
  double parameters = 1.0;         ///< weights of all tables
  double ids_per_sample = 1.0;     ///< of all tables
  std::vector<std::int64_t> dims;  ///< as many tables of each, the larger with larger ones
  std::size_t groups = 24;         ///< shapes that the tables are joined to
  SizeSpread rows{.sigma = 2.0, .min = set_rows_min, .max = 2e8};
  SizeSpread pooling{.sigma = 1.3, .min = set_pooling_min, .max = 200.0};
  std::int64_t unpooled = 0;  ///< tables with the most ids, whose rows are not pooled
  double skew = 0.0;          ///< of all tables; where `reuse` is stated it follows from that
  std::optional<RowReuse> reuse{};
  std::int64_t element_bytes = 0;  ///< as TableGroup
};

struct Range {
  double min = 0.0;
  double max = 0.0;
};

/// What `parameters` and `ids_per_sample` may be, given all else.
Range parameters_range(const TableSetStatistics& statistics);
Range ids_per_sample_range(const TableSetStatistics& statistics);

/// Draws a set with these statistics, table by table: rows and ids a sample are log-normal, scaled
/// until they add up to what is stated. The largest hundredth of the tables, ids of users and
/// items, has one id a sample. Tables are then sorted by dim and rows, and neighbours joined where
/// that changes their sizes least: the largest stay alone, hundreds of small ones become one shape
/// with as many weights and ids. A stated reuse is met by one skew of all tables, or as nearly as
/// skews from 0 to `skew_max` come. Same statistics, same set, on any machine.
/// Requires parameters and ids in their ranges, and some dims, all positive.
/// Reference: 788 tables, 10,720.5 ids a sample, each row used 12.7 times in a batch of 131,072
///            (github.com/facebookresearch/dlrm_datasets, embedding_bag/2022).
std::vector<TableGroup> table_set(const TableSetStatistics& statistics);

/// Ids of a batch over the distinct rows they ask for.
double mean_reuse(std::span<const TableGroup> groups, double batch);

/// The least and the largest that skews from 0 to `skew_max` give these tables.
Range mean_reuse_range(std::span<const TableGroup> groups, double batch);

}  // namespace cubicbench::sim
