#include "sim/network/load_writer.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/network/traffic.h"

namespace cubicbench::sim {

void LoadWriter::begin(Collective op, Gpus gpus, std::int64_t ranks) {
  op_ = op;
  gpus_ = gpus;
  ranks_ = ranks;
  runs_ = domain_runs(router_->topology().shape, gpus_);
  loads.clear();
  detours.clear();
  moved = across = 0.0;
  flows = 0;
}

// ---- inside domains ----------------------------------------------------------------------------

void LoadWriter::pass_around(double bytes) {
  for (const DomainRun& run : runs_) {
    const double r = static_cast<double>(run.size);
    const double part = runs_.size() == 1 ? 1.0 : (r - 1.0) / r;
    domain_.pass_around(members(run), part * bytes, loads);
    flows += static_cast<std::int64_t>(run.size) - (runs_.size() == 1 ? 0 : 1);
    if (run.size < 2 || router_->fixed().empty()) continue;
    for (std::size_t i = 0; i < run.size; ++i) {
      const std::int64_t from = members(run)[i];
      const std::int64_t to = members(run)[(i + 1) % run.size];
      if (router_->is_fixed(from, to)) detours.push_back({from, to, part * bytes});
    }
  }
  moved = bytes;
}

void LoadWriter::pass_in_domains(double bytes, bool closed, std::int64_t each) {
  for (const DomainRun& run : runs_) {
    const double r = static_cast<double>(run.size);
    domain_.pass_around(members(run), closed ? bytes * (r - 1.0) / r : bytes, loads);
    flows += each * static_cast<std::int64_t>(run.size);
  }
  moved = bytes;
}

void LoadWriter::exchange(double bytes) {
  for (const DomainRun& run : runs_) {
    domain_.exchange(members(run), bytes, loads);
    flows += static_cast<std::int64_t>(run.size * (run.size - 1));
    moved = std::max(moved, static_cast<double>(run.size - 1) * bytes);
  }
}

void LoadWriter::through_switch(double up, double down) {
  for (const DomainRun& run : runs_) {
    domain_.through_switch(members(run), up, down, loads);
    flows += 2 * static_cast<std::int64_t>(run.size);
  }
  moved = std::max(up, down);
}

void LoadWriter::reduce_in_switches() {
  for (const DomainRun& run : runs_) {
    const double bytes = 1.0 + 1.0 / static_cast<double>(run.size);
    domain_.through_switch(members(run), bytes, bytes, loads);
    flows += 2 * static_cast<std::int64_t>(run.size);
  }
  moved = 1.0;
}

void LoadWriter::reduce_in_fabric() {
  for (const DomainRun& run : runs_) {
    const double part = 1.0 / static_cast<double>(run.size);
    domain_.exchange(members(run), 2.0 * part, loads);
    flows += static_cast<std::int64_t>(run.size * (run.size + 1));
  }
  moved = 2.0;
  const double part = 1.0 / static_cast<double>(runs_.front().size);
  add_reduction_in_fabric(*router_, gpus_, part, loads);
  if (runs_.size() > 1) across += real(n()) * part;
}

// ---- between domains ---------------------------------------------------------------------------

void LoadWriter::send(std::int64_t from, std::int64_t to, double bytes) {
  parts_.clear();
  router_->spread(from, to, parts_);
  for (const BundlePart& part : parts_) loads.add(part.bundle, part.part * bytes);
  if (router_->is_fixed(from, to)) detours.push_back({from, to, bytes});
  const TopologyShape& shape = router_->topology().shape;
  if (domain_of(shape, from) != domain_of(shape, to)) across += bytes;
  ++flows;
}

void LoadWriter::send_to_next() {
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    send(gpus_[i], gpus_[(i + 1) % gpus_.size()], 1.0);
  }
  moved = 1.0;
}

/// All members of one domain send, all of the other receive, alike and in order: with as many here
/// as there member i sends to member i.
template <typename Send>
void LoadWriter::each_across(const DomainRun& from, const DomainRun& to, double bytes,
                             Send send_one) const {
  const std::size_t whole = from.size * to.size;
  for (std::size_t at = 0; at < whole;) {
    const std::size_t sender = at / to.size;
    const std::size_t receiver = at / from.size;
    const std::size_t end = std::min((sender + 1) * to.size, (receiver + 1) * from.size);
    send_one(gpus_[from.first + sender], gpus_[to.first + receiver],
             bytes * static_cast<double>(end - at) / static_cast<double>(whole));
    at = end;
  }
}

void LoadWriter::add_across(const DomainRun& from, const DomainRun& to, double bytes) {
  each_across(from, to, bytes, [&](std::int64_t sender, std::int64_t receiver, double part) {
    send(sender, receiver, part);
  });
}

void LoadWriter::chain_across(double bytes, bool closed) {
  if (runs_.size() < 2) return;
  const std::size_t edges = closed ? runs_.size() : runs_.size() - 1;
  for (std::size_t i = 0; i < edges; ++i) {
    add_across(runs_[i], runs_[(i + 1) % runs_.size()], bytes);
  }
  // Members that are not given: what they send is summed in the same order as if they were.
  const std::size_t all = runs_.size() * static_cast<std::size_t>(ranks_) / gpus_.size();
  for (std::size_t i = runs_.size(); i < all; ++i) {
    each_across(runs_[i % runs_.size()], runs_[(i + 1) % runs_.size()], bytes,
                [&](std::int64_t, std::int64_t, double part) { across += part; });
  }
}

void LoadWriter::trees_across() {
  for (const auto parent_of : {first_tree_parent, second_tree_parent}) {
    for (std::int64_t node = 0; node < domains(); ++node) {
      const std::int64_t parent = parent_of(node, domains());
      if (parent == no_parent) continue;
      const DomainRun& here = runs_[static_cast<std::size_t>(node)];
      const DomainRun& above = runs_[static_cast<std::size_t>(parent)];
      add_across(here, above, 0.5);
      add_across(above, here, 0.5);
    }
  }
}

void LoadWriter::pairs(Gpus gpus, double bytes) {
  add_pairs_between_domains(*router_, gpus, bytes, loads);
  const auto ranks = std::ssize(gpus);
  std::int64_t count = ranks * ranks;
  for (const DomainRun& run : domain_runs(router_->topology().shape, gpus)) {
    count -= static_cast<std::int64_t>(run.size * run.size);
  }
  flows += count;
  across += real(count) * bytes;
  note_detours(gpus, bytes);
}

/// Of pairs that were counted together.
void LoadWriter::note_detours(Gpus gpus, double bytes) {
  if (router_->fixed().empty()) return;
  std::vector<std::int64_t> sorted(gpus.begin(), gpus.end());
  std::sort(sorted.begin(), sorted.end());
  const auto is_member = [&](std::int64_t gpu) {
    return std::binary_search(sorted.begin(), sorted.end(), gpu);
  };
  for (const auto& [pair, links] : router_->fixed()) {
    if (is_member(pair.first) && is_member(pair.second)) {
      detours.push_back({pair.first, pair.second, bytes});
    }
  }
}

void LoadWriter::send_flows(Algorithm algorithm) {
  // Who talks to whom does not depend on the domains.
  const Group group{.ranks = n(), .ranks_per_node = 1};
  for (const Flow& flow : traffic(op_, algorithm, Bytes{1.0}, group)) {
    send(gpus_[static_cast<std::size_t>(flow.from)], gpus_[static_cast<std::size_t>(flow.to)],
         flow.bytes.value);
    moved += flow.bytes.value / real(n());
  }
}

}  // namespace cubicbench::sim
