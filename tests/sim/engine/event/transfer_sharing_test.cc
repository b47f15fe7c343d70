// Transfers of jobs written by hand that share a bundle of cables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"
#include "sim/engine/event/transfers.h"
#include "tests/sim/engine/event/hand_job.h"

namespace cubicbench::sim {
namespace {

using testing::ElementsAre;

constexpr std::int64_t terabyte_per_s = 1'000'000'000'000;  // what moving() asks for

/// Every rank sends with a communicator of its own, all over bundle 0 of `capacity`.
struct SharedCable {
  HandJob job;
  JobLoads loads;

  explicit SharedCable(std::int64_t capacity) {
    loads.capacities = IdVector<BundleId, std::int64_t>(1, capacity);
    loads.kinds[static_cast<std::size_t>(Role::shard)] = {{.rate_max = {1e12}}};
  }

  /// Begins at `begin` and moves bytes that alone take `busy`, over `weight` / 256 of the cable.
  void add(std::int64_t begin, std::int64_t busy, std::int64_t weight = link_weight_one,
           std::int64_t latency = 0) {
    StageScript& stage = job.stage(1);
    job.operation(stage, AsyncStream::weights, moving(busy, latency));
    stage.actions = {job.block(kernels_of(begin)), issue(AsyncStream::weights),
                     await(AsyncStream::weights, 1)};
    job.join(Role::shard, {static_cast<std::uint32_t>(job.graph.ranks.size() - 1)});
    const auto row = static_cast<std::uint32_t>(loads.uses.size());
    loads.first_load.push_back(row);
    loads.uses.push_back({BundleId{0}, weight});
    loads.loads.push_back({.first_use = row, .last_use = row + 1, .flow_bytes = 1.0});
  }

  std::vector<std::int64_t> finishes() const {
    LinkTraffic links(job.graph, loads);
    return job.finishes(&links);
  }
};

TEST(TransferSharing, ATransferAloneHasFullSpeed) {
  SharedCable cable(terabyte_per_s);
  cable.add(1000, 40'000, link_weight_one, 500);
  EXPECT_THAT(cable.finishes(), ElementsAre(1000 + 500 + 40'000));
}

TEST(TransferSharing, TwoTransfersOnOneCableHalveEachOther) {
  SharedCable cable(terabyte_per_s);
  cable.add(0, 40'000);
  cable.add(0, 60'000);
  // Both at half speed until 80,000; the second then has 20,000 left, at full speed.
  EXPECT_THAT(cable.finishes(), ElementsAre(80'000, 100'000));
}

TEST(TransferSharing, StartUpsUseNoCable) {
  SharedCable cable(terabyte_per_s);
  cable.add(0, 40'000);
  cable.add(0, 10'000, link_weight_one, 40'000);
  EXPECT_THAT(cable.finishes(), ElementsAre(40'000, 50'000));
}

TEST(TransferSharing, WhoStartsLaterTakesAShareFromThenOn) {
  // 1.2 TB/s, so that two have 0.6 of full speed each and three 0.4.
  SharedCable cable(1'200'000'000'000);
  cable.add(0, 60'000);
  cable.add(0, 60'000);
  cable.add(50'000, 60'000);
  // Until 50,000 the first two move 30,000 each. 30,000 left at 0.4: until 125,000, by when the
  // third has moved 30,000 too; its other 30,000 at full speed.
  EXPECT_THAT(cable.finishes(), ElementsAre(125'000, 125'000, 155'000));
}

TEST(TransferSharing, NobodyIsSlowedWhereThereIsRoom) {
  SharedCable cable(2 * terabyte_per_s);
  cable.add(0, 60'000);
  cable.add(10'000, 60'000);
  EXPECT_THAT(cable.finishes(), ElementsAre(60'000, 70'000));
}

TEST(TransferSharing, WeightsSayHowMuchOfACableARateTakes) {
  // The second puts half its rate on the cable: r + r / 2 = 1, so both run at 2/3.
  SharedCable cable(terabyte_per_s);
  cable.add(0, 60'000);
  cable.add(0, 60'000, link_weight_one / 2);
  // Rates are whole bytes a second: 2/3 to 1e-12, less than a picosecond here.
  EXPECT_THAT(cable.finishes(), ElementsAre(90'000, 90'000));
}

TEST(TransferSharing, OneThatEndsWhereAnotherBeginsLeavesItsShare) {
  SharedCable cable(terabyte_per_s);
  cable.add(0, 50'000);
  cable.add(50'000, 50'000);
  EXPECT_THAT(cable.finishes(), ElementsAre(50'000, 100'000));
}

std::int64_t below(std::uint64_t seed, std::uint32_t draw, std::uint64_t n) {
  return static_cast<std::int64_t>(uniform_below({.seed = seed, .draw = draw}, n));
}

TEST(TransferSharing, NeverShortensATransferNorLosesWork) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SharedCable cable(terabyte_per_s);
    std::vector<std::int64_t> alone;
    std::int64_t first = 1'000'000'000;
    std::int64_t sum = 0;
    const std::int64_t transfers = 2 + below(seed, 0, 9);
    for (std::uint32_t i = 0; i < transfers; ++i) {
      const std::int64_t begin = below(seed, 2 * i + 1, 100'000);
      const std::int64_t busy = 1 + below(seed, 2 * i + 2, 100'000);
      cable.add(begin, busy);
      alone.push_back(begin + busy);
      first = std::min(first, begin);
      sum += busy;
    }
    const std::vector<std::int64_t> ends = cable.finishes();
    for (std::size_t i = 0; i < ends.size(); ++i) EXPECT_GE(ends[i], alone[i]) << i;
    // The cable is never idle longer than before the last begins, and never faster than itself;
    // half a picosecond is rounded at every change, two a transfer.
    const std::int64_t last = *std::max_element(ends.begin(), ends.end());
    EXPECT_LE(last, 100'000 + sum + 2 * transfers);
    EXPECT_GE(last + 2 * transfers, first + sum);
  }
}

}  // namespace
}  // namespace cubicbench::sim
