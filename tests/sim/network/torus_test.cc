#include "sim/network/torus.h"

#include <gtest/gtest.h>

#include "sim/network/collective.h"
#include "sim/network/domain_cost.h"

namespace cubicbench::sim {
namespace {

/// 32 x 32, links of 100 GB/s of which all are reached.
Network square() {
  Network network;
  network.domain = DomainKind::torus;
  network.torus = {32, 32, 0};
  network.intra_bandwidth = 100_GBps;
  network.intra.simple = {.share = 1.0, .base = 4_us, .step = 1_us, .fill = {}};
  network.intra.exchange_floor = 5_us;
  network.intra.exchange_share = 1.0;
  network.intra.message_base = 3_us;
  network.intra.message_share = 1.0;
  return network;
}

TEST(TorusSpan, FollowsTheRanksAlongTheAxes) {
  struct Case {
    const char* name;
    std::int64_t ranks, stride;
    double links, hops, exchange, shift;
  };
  for (const Case& c : {
           // Rings have two ways round; 32 members send 32/8 = 4 buffers' worth over each link.
           Case{"a row", 32, 1, 2.0, 16.0, 4.0, 1.0},
           Case{"a column", 32, 32, 2.0, 16.0, 4.0, 1.0},
           Case{"all", 1024, 1, 4.0, 32.0, 4.0, 1.0},
           // Not all the way round: the last brings everything over one link. 4 x 4 / 8 pairs cross
           // the middle, each an eighth of a buffer.
           Case{"part of a row", 8, 1, 1.0, 7.0, 2.0, 1.0},
           Case{"two neighbours", 2, 1, 1.0, 1.0, 0.5, 1.0},
           Case{"a row and half of the next column", 512, 1, 3.0, 16.0 + 15.0, 4.0, 1.0},
           // Four interleaved groups share the ring's links: 2/4; four links a step.
           Case{"every fourth of a row", 8, 4, 0.5, 4.0 * 4.0, 4.0 * 16.0 / 16.0, 4.0},
           Case{"every fourth, half of the row", 4, 4, 0.25, 12.0, 4.0, 4.0},
           // 2 members 16 apart on the ring, in 32 rows.
           Case{"every sixteenth of all", 64, 16, 2.0 / 16.0 + 2.0, 16.0 + 16.0, 4.0, 16.0},
           Case{"every other row", 16, 64, 1.0, 16.0, 4.0, 2.0},
           Case{"one rank", 1, 1, 1.0, 0.0, 0.0, 1.0},
       }) {
    SCOPED_TRACE(c.name);
    const TorusSpan span = torus_span(c.ranks, c.stride, square());
    EXPECT_DOUBLE_EQ(span.links, c.links);
    EXPECT_DOUBLE_EQ(span.hops, c.hops);
    EXPECT_DOUBLE_EQ(span.exchange, c.exchange);
    EXPECT_DOUBLE_EQ(span.shift, c.shift);
  }
}

TEST(TorusSpan, HasNoWrapInSmallSlicesAndAlongAxesOfTwo) {
  Network slice = square();
  slice.torus = {2, 2, 2};
  // Both links of a cable between two chips are one: 1 an axis, wrapped or not.
  for (const bool wraps : {true, false}) {
    slice.torus_wraps = wraps;
    EXPECT_DOUBLE_EQ(torus_span(4, 1, slice).links, 2.0);
    EXPECT_DOUBLE_EQ(torus_span(8, 1, slice).links, 3.0);
    EXPECT_DOUBLE_EQ(torus_span(8, 1, slice).hops, 3.0);
  }
  slice.torus = {4, 4, 4};
  EXPECT_DOUBLE_EQ(torus_span(64, 1, slice).links, 3.0);
  slice.torus_wraps = true;
  EXPECT_DOUBLE_EQ(torus_span(64, 1, slice).links, 6.0);
}

double time_us(Collective op, Bytes size, const Group& group, const Network& network) {
  return collective_cost(op, size, group, network).time.value * 1e6;
}

TEST(Torus, CollectivesMatchHandComputedTimes) {
  const Network network = square();
  const Group row{.ranks = 32, .ranks_per_node = 32};
  const Group all{.ranks = 1024, .ranks_per_node = 1024};
  const Bytes size{1e9};
  // 31/32 GB at 200 GB/s after 16 hops; over both axes 1023/1024 GB at 400 GB/s after 32.
  EXPECT_NEAR(time_us(Collective::all_gather, size, row, network), 20.0 + 1e6 / 200 * 31 / 32,
              1e-6);
  EXPECT_NEAR(time_us(Collective::all_gather, size, all, network), 36.0 + 1e6 / 400 * 1023 / 1024,
              1e-6);
  EXPECT_NEAR(time_us(Collective::reduce_scatter, size, row, network),
              time_us(Collective::all_gather, size, row, network), 1e-9);
  EXPECT_NEAR(time_us(Collective::all_reduce, size, row, network), 36.0 + 2e6 / 200 * 31 / 32,
              1e-6);
  // A quarter of a gather of what all ranks send together, 32 GB: 40 ms.
  EXPECT_NEAR(time_us(Collective::all_to_all, size, row, network), 5.0 + 16.0 + 4e6 / 100, 1e-6);
  EXPECT_NEAR(time_us(Collective::send_receive, size, row, network), 3.0 + 1.0 + 1e6 / 100, 1e-6);
  const Group fourths{.ranks = 8, .ranks_per_node = 8, .stride = 4};
  EXPECT_NEAR(time_us(Collective::send_receive, size, fourths, network), 3.0 + 4.0 + 4e6 / 100,
              1e-6);
  EXPECT_EQ(collective_cost(Collective::all_reduce, size, all, network).algorithm, Algorithm::ring);
  EXPECT_EQ(collective_cost(Collective::all_reduce, size, all, network).bottleneck,
            Bottleneck::domain);
  EXPECT_FALSE(collective_cost(Collective::all_reduce, size, all, network, Algorithm::nvls));
}

TEST(Torus, HalvesOfTheRateDoubleTransfersAlone) {
  Network network = square();
  const Group all{.ranks = 1024, .ranks_per_node = 1024};
  const double fast = time_us(Collective::all_reduce, {1e9}, all, network);
  network.intra_efficiency = 0.5;
  const double start = 4.0 + 2 * 32.0;
  EXPECT_NEAR(time_us(Collective::all_reduce, {1e9}, all, network), 2.0 * fast - start, 1e-6);
}

TEST(Torus, ExchangesInsideWhileOthersCrossIslands) {
  // A row's busiest link carries 4 of the buffer's 31/32 that leave: 100 x (31/32) / 4.
  EXPECT_NEAR(exchange_rate(32, 1, square()).value, 100e9 * 31 / 32 / 4, 1.0);
  EXPECT_NEAR(domain_rate(1024, 1, square()).value, 400e9, 1.0);
}

}  // namespace
}  // namespace cubicbench::sim
