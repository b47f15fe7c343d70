#include "sim/base/ids.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cubicbench::sim {
namespace {

enum class WireId : std::uint32_t {};
enum class GpuId : std::uint32_t {};
enum class SmallId : std::uint8_t {};
enum class SignedId : int {};

template <class Table, class Index>
concept IndexedBy = requires(Table table, Index index) {
  table[index];
};

using Capacities = IdVector<WireId, double>;

// What this table is for: only its own ids look anything up.
static_assert(IndexedBy<Capacities, WireId>);
static_assert(IndexedBy<const Capacities, WireId>);
static_assert(!IndexedBy<Capacities, GpuId>);
static_assert(!IndexedBy<Capacities, std::uint32_t>);
static_assert(!IndexedBy<Capacities, int>);
static_assert(!IdType<SignedId>);
static_assert(!IdType<std::uint32_t>);

static_assert(index_of(WireId{5}) == 5);
static_assert(id_at<WireId>(5) == WireId{5});

TEST(IdVector, NumbersRowsInTheOrderTheyAreAppended) {
  IdVector<WireId, std::string> names;
  EXPECT_EQ(names.push_back("nvlink"), WireId{0});
  EXPECT_EQ(names.push_back("rail"), WireId{1});
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(names[WireId{1}], "rail");
  names[WireId{0}] = "xgmi";
  EXPECT_EQ(std::as_const(names)[WireId{0}], "xgmi");
}

TEST(IdVector, IteratesInOrderOfIds) {
  const IdVector<GpuId, int> table(std::vector<int>{3, 1, 2});
  std::vector<int> seen;
  for (const int row : table) {
    seen.push_back(row);
  }
  EXPECT_EQ(seen, (std::vector<int>{3, 1, 2}));
}

TEST(IdVector, ComparesByRows) {
  Capacities a(2, 1.0);
  Capacities b(2, 1.0);
  EXPECT_EQ(a, b);
  b[WireId{1}] = 2.0;
  EXPECT_NE(a, b);
}

TEST(IdVector, ContainsItsRows) {
  const Capacities table(3, 7.0);
  EXPECT_EQ(table[WireId{2}], 7.0);
  EXPECT_TRUE(table.contains(WireId{2}));
  EXPECT_FALSE(table.contains(WireId{3}));
}

TEST(IdVector, HoldsBooleans) {
  IdVector<WireId, bool> up(2, true);
  up[WireId{1}] = false;
  EXPECT_TRUE(up[WireId{0}]);
  EXPECT_FALSE(up[WireId{1}]);
}

TEST(IdVectorDeathTest, AnIdOutsideTheTableIsABrokenInvariant) {
  Capacities table(2);
  EXPECT_DEATH(table[WireId{2}] = 1.0, "broken invariant: contains.id., where id, size.. = 2, 2");
}

TEST(IdVectorDeathTest, RunningOutOfIdsIsABrokenInvariant) {
  IdVector<SmallId, int> table(255);
  EXPECT_EQ(table.push_back(1), SmallId{255});
  EXPECT_DEATH(table.push_back(1), "broken invariant: .*index = 256");
}

}  // namespace
}  // namespace cubicbench::sim
