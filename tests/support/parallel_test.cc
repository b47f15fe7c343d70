#include "support/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace cubicbench::support {
namespace {

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const int threads : {0, 1, 2, 8}) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(count) + " calls");
      std::vector<int> calls(count, 0);
      parallel_for(count, threads, [&](std::size_t i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(count, 1));
    }
  }
}

TEST(ParallelFor, RunsInOrderOnOneThread) {
  std::vector<std::size_t> order;
  parallel_for(4, 1, [&](std::size_t i) { order.push_back(i); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(ParallelFor, RethrowsTheLowestIndexAfterAllHaveEnded) {
  for (const int threads : {0, 1, 2, 8}) {
    SCOPED_TRACE(threads);
    std::atomic<int> ended = 0;
    const auto body = [&](std::size_t i) {
      ++ended;
      if (i == 30 || i == 71 || i == 99) throw std::runtime_error(std::to_string(i));
    };
    try {
      parallel_for(100, threads, body);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "30");
    }
    EXPECT_EQ(ended, 100);
  }
}

TEST(ParallelFor, MayBeNested) {
  std::vector<std::size_t> sums(8, 0);
  parallel_for(sums.size(), 2, [&](std::size_t i) {
    std::vector<std::size_t> parts(10, 0);
    parallel_for(parts.size(), 2, [&](std::size_t j) { parts[j] = i * j; });
    for (const std::size_t part : parts) sums[i] += part;
  });
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 45 * i);
}

}  // namespace
}  // namespace cubicbench::support
