#include "support/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace cubicbench::support {
namespace {

std::vector<std::uint64_t> images(std::uint64_t count, std::uint64_t key) {
  const Permutation permutation(count, key);
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(permutation(i));
  return all;
}

TEST(Permutation, HitsEveryNumberOnce) {
  for (std::uint64_t count = 1; count <= 300; ++count) {
    std::vector<std::uint64_t> all = images(count, count);
    std::sort(all.begin(), all.end());
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(all[i], i) << "of " << count;
  }
}

TEST(Permutation, OfTheLargestCountStaysInRange) {
  constexpr std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
  const Permutation permutation(count, 1);
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t image = permutation(i);
    EXPECT_LT(image, count);
    EXPECT_TRUE(seen.insert(image).second);
    EXPECT_LT(permutation(count - 1 - i), count);
  }
}

TEST(Permutation, IsAFunctionOfCountAndKey) {
  EXPECT_EQ(images(100, 7), images(100, 7));
  EXPECT_NE(images(100, 7), images(100, 8));
}

// Over keys, all count! orders come equally often: chi-square against the 99.99th percentile of
// its distribution with count! - 1 degrees of freedom.
TEST(Permutation, GivesEveryOrderEquallyOften) {
  struct Case {
    std::uint64_t count;
    int orders;
    double chi_square_max;
  };
  for (const Case& c : {Case{2, 2, 15.14}, Case{3, 6, 25.74}, Case{4, 24, 57.08}}) {
    SCOPED_TRACE(c.count);
    constexpr int keys = 24000;
    std::map<std::vector<std::uint64_t>, int> times;
    for (std::uint64_t key = 0; key < keys; ++key) ++times[images(c.count, key)];
    EXPECT_EQ(times.size(), static_cast<std::size_t>(c.orders));
    const double expected = static_cast<double>(keys) / c.orders;
    double chi_square = 0.0;
    for (const auto& [order, observed] : times) {
      chi_square += (observed - expected) * (observed - expected) / expected;
    }
    EXPECT_LT(chi_square, c.chi_square_max);
  }
}

}  // namespace
}  // namespace cubicbench::support
