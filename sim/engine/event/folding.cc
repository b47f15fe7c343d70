#include "sim/engine/event/folding.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "sim/base/check.h"
#include "sim/engine/event/signature.h"

namespace cubicbench::sim {
namespace {

/// The colour of each of some things; colours are numbered by their first member.
struct Colouring {
  std::vector<std::uint32_t> of;
  std::uint32_t colours = 0;
};

Colouring coloured(std::span<const Signature> signatures) {
  std::vector<std::uint32_t> order(signatures.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    return signatures[i] != signatures[j] ? signatures[i] < signatures[j] : i < j;
  });
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint32_t> first_of(signatures.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || signatures[order[k]] != signatures[order[k - 1]]) firsts.push_back(order[k]);
    first_of[order[k]] = firsts.back();
  }
  std::ranges::sort(firsts);
  std::vector<std::uint32_t> number(signatures.size());
  for (std::size_t i = 0; i < firsts.size(); ++i) number[firsts[i]] = static_cast<std::uint32_t>(i);
  Colouring result{.of = std::vector<std::uint32_t>(signatures.size()),
                   .colours = static_cast<std::uint32_t>(firsts.size())};
  for (std::size_t i = 0; i < signatures.size(); ++i) result.of[i] = number[first_of[i]];
  return result;
}

class Refinement {
 public:
  Refinement(const JobGraph& job, const JobLoads& loads,
             std::span<const std::uint64_t> rank_colours)
      : job_(job), loads_(loads), bundles_of_(loads.capacities.size()) {
    std::vector<Signature> signatures;
    for (const std::uint64_t colour : rank_colours) signatures.push_back(signature_of(colour));
    ranks = coloured(signatures);
    signatures.clear();
    for (const std::int64_t capacity : loads.capacities) {
      signatures.push_back(signature_of(static_cast<std::uint64_t>(capacity)));
    }
    bundles = coloured(signatures);
    communicators.of.assign(job.communicators.size(), 0);
    communicators.colours = 1;
    refine();
  }

  Colouring ranks;
  Colouring communicators;
  Colouring bundles;

 private:
  void refine() {
    for (std::uint32_t before = 0; before != colours();) {
      before = colours();
      refine_communicators();
      refine_ranks();
      refine_bundles();
    }
  }

  std::uint32_t colours() const { return ranks.colours + communicators.colours + bundles.colours; }

  void refine_communicators() {
    signatures_.clear();
    for (std::uint32_t i = 0; i < job_.communicators.size(); ++i) {
      const Communicator& communicator = job_.communicators[i];
      Signature all =
          signature_of(communicators.of[i], static_cast<std::uint64_t>(communicator.role));
      all.follow(communicator.size);
      Signature members;
      for (const std::uint32_t rank : job_.members_of(communicator)) {
        if (is_edge(communicator.role)) all.follow(ranks.of[rank]);
        members.add(signature_of(ranks.of[rank]));
      }
      all.follow(members.a);
      all.follow(members.b);
      if (!loads_.first_load.empty()) follow_links(i, all);
      signatures_.push_back(all);
    }
    communicators = coloured(signatures_);
  }

  void follow_links(std::uint32_t communicator, Signature& all) const {
    for (const CommunicatorLoad& load : loads_.loads_of(job_, communicator)) {
      Signature links = signature_of(std::bit_cast<std::uint64_t>(load.flow_bytes));
      for (const LinkUse& use : loads_.uses_of(load)) {
        links.add(
            signature_of(bundles.of[index_of(use.bundle)], static_cast<std::uint64_t>(use.weight)));
      }
      all.follow(links.a);
      all.follow(links.b);
    }
  }

  void refine_ranks() {
    signatures_.clear();
    const auto colour = [&](std::uint32_t id) {
      return id == no_communicator ? std::uint64_t{no_communicator}
                                   : std::uint64_t{communicators.of[id]};
    };
    for (std::size_t i = 0; i < job_.ranks.size(); ++i) {
      Signature all = signature_of(ranks.of[i]);
      for (const std::uint32_t id : job_.ranks[i].communicator) all.follow(colour(id));
      for (const std::uint32_t id : job_.ranks[i].incoming) all.follow(colour(id));
      signatures_.push_back(all);
    }
    ranks = coloured(signatures_);
  }

  void refine_bundles() {
    if (loads_.first_load.empty()) return;
    std::vector<Signature>& sums = bundles_of_;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = {};
    for (std::uint32_t i = 0; i < job_.communicators.size(); ++i) {
      const auto rows = loads_.loads_of(job_, i);
      for (std::size_t kind = 0; kind < rows.size(); ++kind) {
        for (const LinkUse& use : loads_.uses_of(rows[kind])) {
          Signature one = signature_of(communicators.of[i], kind);
          one.follow(static_cast<std::uint64_t>(use.weight));
          sums[index_of(use.bundle)].add(one);
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Signature carried = sums[i];
      sums[i] = signature_of(bundles.of[i]);
      sums[i].follow(carried.a);
      sums[i].follow(carried.b);
    }
    bundles = coloured(sums);
  }

  const JobGraph& job_;
  const JobLoads& loads_;
  std::vector<Signature> signatures_;
  std::vector<Signature> bundles_of_;
};

JobGraph folded_graph(const JobGraph& job, const Refinement& classes) {
  const auto colour = [&](std::uint32_t id) {
    return id == no_communicator ? id : classes.communicators.of[id];
  };
  JobGraph folded;
  folded.ranks.resize(classes.ranks.colours);
  for (JobRank& rank : folded.ranks) rank.stands_for = 0;
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    JobRank& rank = folded.ranks[classes.ranks.of[i]];
    if (rank.stands_for++ > 0) continue;
    rank = job.ranks[i];
    for (std::uint32_t& id : rank.communicator) id = colour(id);
    for (std::uint32_t& id : rank.incoming) id = colour(id);
  }
  folded.communicators.resize(classes.communicators.colours);
  for (Communicator& one : folded.communicators) one.stands_for = 0;
  for (std::size_t i = 0; i < job.communicators.size(); ++i) {
    Communicator& one = folded.communicators[classes.communicators.of[i]];
    if (one.stands_for++ > 0) continue;
    one = job.communicators[i];
    one.first = static_cast<std::uint32_t>(folded.members.size());
    for (const std::uint32_t member : job.members_of(job.communicators[i])) {
      folded.members.push_back(classes.ranks.of[member]);
    }
    const auto first = folded.members.begin() + one.first;
    if (!is_edge(one.role)) {
      std::sort(first, folded.members.end());
      folded.members.erase(std::unique(first, folded.members.end()), folded.members.end());
    }
    one.size = static_cast<std::uint32_t>(folded.members.size()) - one.first;
  }
  return folded;
}

/// What one bundle of each colour carries of all communicators of each colour.
JobLoads folded_loads(const JobGraph& job, const JobLoads& loads, const Refinement& classes) {
  JobLoads folded;
  if (loads.first_load.empty()) return folded;
  folded.kinds = loads.kinds;
  std::vector<std::uint32_t> first_of(classes.bundles.colours);
  for (std::uint32_t i = static_cast<std::uint32_t>(classes.bundles.of.size()); i-- > 0;) {
    first_of[classes.bundles.of[i]] = i;
  }
  std::vector<std::int64_t> capacities;
  for (const std::uint32_t first : first_of) {
    capacities.push_back(loads.capacities[id_at<BundleId>(first)]);
  }
  folded.capacities = IdVector<BundleId, std::int64_t>(std::move(capacities));
  std::vector<std::vector<std::vector<LinkUse>>> uses(classes.communicators.colours);
  std::vector<std::vector<double>> flow_bytes(classes.communicators.colours);
  for (std::uint32_t i = 0; i < job.communicators.size(); ++i) {
    const auto rows = loads.loads_of(job, i);
    const std::uint32_t colour = classes.communicators.of[i];
    uses[colour].resize(rows.size());
    flow_bytes[colour].resize(rows.size());
    for (std::size_t kind = 0; kind < rows.size(); ++kind) {
      flow_bytes[colour][kind] = rows[kind].flow_bytes;
      for (const LinkUse& use : loads.uses_of(rows[kind])) {
        const auto bundle = static_cast<std::uint32_t>(index_of(use.bundle));
        const std::uint32_t bundle_colour = classes.bundles.of[bundle];
        if (first_of[bundle_colour] != bundle) continue;
        uses[colour][kind].push_back({id_at<BundleId>(bundle_colour), use.weight});
      }
    }
  }
  for (std::size_t colour = 0; colour < uses.size(); ++colour) {
    folded.first_load.push_back(static_cast<std::uint32_t>(folded.loads.size()));
    for (std::size_t kind = 0; kind < uses[colour].size(); ++kind) {
      const auto first = static_cast<std::uint32_t>(folded.uses.size());
      folded.uses.insert(folded.uses.end(), uses[colour][kind].begin(), uses[colour][kind].end());
      folded.loads.push_back({.first_use = first,
                              .last_use = static_cast<std::uint32_t>(folded.uses.size()),
                              .flow_bytes = flow_bytes[colour][kind]});
    }
  }
  return folded;
}

}  // namespace

FoldedJob fold(const JobGraph& job, const JobLoads& loads,
               std::span<const std::uint64_t> rank_colours) {
  SIM_ASSERT(rank_colours.size() == job.ranks.size(), rank_colours.size());
  const Refinement classes(job, loads, rank_colours);
  return {folded_graph(job, classes), folded_loads(job, loads, classes), classes.ranks.of};
}

}  // namespace cubicbench::sim
