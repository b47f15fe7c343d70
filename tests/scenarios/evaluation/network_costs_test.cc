// What collectives cost on every network that ships obeys what no fit may break.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/network_reader.h"
#include "sim/network/collective.h"

namespace cubicbench::scenarios {
namespace {

NetworkDescription described(const std::string& name) {
  std::vector<support::Problem> problems;
  return read_network_description(find_document(Kind::network, name, "", "test"), problems);
}

double seconds(sim::Collective op, double bytes, const sim::Group& group,
               const sim::Network& network) {
  return sim::collective_cost(op, sim::Bytes{bytes}, group, network).time.value;
}

TEST(NetworkCosts, ShortCollectivesTakeNoLessAmongMoreDomains) {
  for (const Entry& entry : names(Kind::network)) {
    const NetworkDescription read = described(entry.name);
    const std::int64_t gpus = read.domain_gpus;
    if (gpus < 2) continue;
    for (const auto op :
         {sim::Collective::all_reduce, sim::Collective::all_gather, sim::Collective::all_to_all}) {
      double before = 0.0;
      for (const std::int64_t domains : {1, 2, 4, 32}) {
        const double time = seconds(op, 1024.0, {domains * gpus, gpus}, read.network);
        EXPECT_GE(time, before) << entry.name << " " << static_cast<int>(op) << " " << domains;
        before = time;
      }
    }
  }
}

TEST(NetworkCosts, OneGpuADomainIsAGroupToo) {
  for (const Entry& entry : names(Kind::network)) {
    const sim::Network network = described(entry.name).network;
    for (std::size_t op = 0; op < sim::collective_count; ++op) {
      const double time = seconds(static_cast<sim::Collective>(op), 8e6, {16, 1}, network);
      EXPECT_TRUE(time > 0.0 && time < 60.0) << entry.name << " " << op << " " << time;
    }
  }
}

TEST(NetworkCosts, AMessageHasAboutWhatARingOfTwoHas) {
  for (const Entry& entry : names(Kind::network)) {
    const NetworkDescription read = described(entry.name);
    if (read.domain_gpus < 2) continue;
    const sim::Group pair{.ranks = 2, .ranks_per_node = 2};
    const double message = seconds(sim::Collective::send_receive, 1e9, pair, read.network);
    const double half_gather = seconds(sim::Collective::all_gather, 2e9, pair, read.network);
    EXPECT_LE(message, 2.0 * half_gather) << entry.name;
  }
}

TEST(NetworkCosts, LongCollectivesTakeNoLessOfMoreBytes) {
  for (const Entry& entry : names(Kind::network)) {
    const NetworkDescription read = described(entry.name);
    for (const std::int64_t domains : {1, 2, 8}) {
      const sim::Group group{domains * read.domain_gpus, read.domain_gpus};
      for (const auto op : {sim::Collective::all_reduce, sim::Collective::all_gather,
                            sim::Collective::broadcast, sim::Collective::reduce_scatter}) {
        double before = 0.0;
        for (double bytes = 8.0; bytes <= 8e9; bytes *= 2.0) {
          const double time = seconds(op, bytes, group, read.network);
          EXPECT_GE(time, before) << entry.name << " " << bytes;
          before = time;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
