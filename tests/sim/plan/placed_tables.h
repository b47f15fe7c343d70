#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// How many tables, or shards, of a group all ranks hold together.
inline std::int64_t placed(const TableSharding& sharding, std::size_t group) {
  std::int64_t sum = 0;
  for (const RankClass& ranks : sharding.classes) {
    sum += ranks.ranks * sharding.held_by(ranks)[group];
  }
  return sum;
}

}  // namespace cubicbench::sim
