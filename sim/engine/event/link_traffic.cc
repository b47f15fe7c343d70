#include "sim/engine/event/link_traffic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Bytes per second of the largest flow while `transfer` runs alone.
std::int64_t cap_of(const CommunicatorLoad& load, const Transfer& transfer) {
  const double rate = load.flow_bytes * transfer.bytes.value / to_seconds(transfer.busy).value;
  return std::max<std::int64_t>(
      1, std::llround(std::min(rate, 0.5 * static_cast<double>(link_rate_max))));
}

}  // namespace

LinkTraffic::LinkTraffic(const JobGraph& graph, const JobLoads& loads)
    : graph_(graph), loads_(loads), sharing_(loads.capacities) {
  rows_.resize(loads.loads.size());
  std::vector<std::uint32_t> owners;
  for (std::uint32_t i = 0; i < graph.communicators.size(); ++i) {
    const auto rows = loads.loads_of(graph, i);
    for (std::size_t kind = 0; kind < rows.size(); ++kind) {
      const auto uses = loads.uses_of(rows[kind]);
      if (uses.empty()) continue;
      rows_[loads.first_load[i] + kind] = {sharing_.add(uses, 1), true};
      owners.push_back(i);
    }
  }
  caps_ = IdVector<FlowSetId, std::int64_t>(owners.size(), 1);
  communicator_of_ = IdVector<FlowSetId, std::uint32_t>(std::move(owners));
}

std::size_t LinkTraffic::row_of(std::uint32_t communicator, const Transfer& transfer) const {
  const auto& kinds =
      loads_.kinds[static_cast<std::size_t>(graph_.communicators[communicator].role)];
  std::size_t kind = 0;
  while (kind < kinds.size() && !kinds[kind].is_of(transfer)) ++kind;
  return kind == kinds.size() ? rows_.size() : loads_.first_load[communicator] + kind;
}

bool LinkTraffic::carries(std::uint32_t communicator, const Transfer& transfer) const {
  const std::size_t row = row_of(communicator, transfer);
  return row < rows_.size() && rows_[row].has_links && transfer.busy > SimTime{};
}

void LinkTraffic::start(std::uint32_t communicator, const Transfer& transfer) {
  const std::size_t row = row_of(communicator, transfer);
  const FlowSetId set = rows_[row].set;
  caps_[set] = cap_of(loads_.loads[row], transfer);
  sharing_.set_cap(set, caps_[set]);
  sharing_.start(set);
}

void LinkTraffic::stop(std::uint32_t communicator, const Transfer& transfer) {
  sharing_.stop(rows_[row_of(communicator, transfer)].set);
}

std::span<const LinkTraffic::Change> LinkTraffic::settle() {
  changes_.clear();
  for (const FlowSetId set : sharing_.settle()) {
    const double speed = static_cast<double>(sharing_.rate(set)) / static_cast<double>(caps_[set]);
    changes_.push_back({communicator_of_[set], speed});
  }
  return changes_;
}

}  // namespace cubicbench::sim
