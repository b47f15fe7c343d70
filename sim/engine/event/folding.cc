#include "sim/engine/event/folding.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "sim/base/check.h"
#include "sim/network/mix.h"

namespace cubicbench::sim {
namespace {

/// Of the things that are told apart, the class of each; classes are numbered by their first
/// member.
struct Colouring {
  std::vector<std::uint32_t> colour;
  std::uint32_t colours = 0;
};

/// Classes of equal signatures.
Colouring classes_of(std::span<const std::uint64_t> signatures) {
  Colouring result;
  result.colour.resize(signatures.size());
  std::vector<std::uint32_t> order(signatures.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return signatures[i]; });
  // First members of the classes in their own order, so that numbers follow first members.
  std::vector<std::uint32_t> firsts;
  std::vector<std::uint32_t> first_of(signatures.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || signatures[order[k]] != signatures[order[k - 1]]) firsts.push_back(order[k]);
    first_of[order[k]] = firsts.back();
  }
  std::ranges::sort(firsts);
  result.colours = static_cast<std::uint32_t>(firsts.size());
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    result.colour[i] =
        static_cast<std::uint32_t>(std::ranges::lower_bound(firsts, first_of[i]) - firsts.begin());
  }
  return result;
}

std::uint64_t combined(std::uint64_t a, std::uint64_t b) {
  return mix(a * 0x9E3779B97F4A7C15U + b);
}

}  // namespace

JobGraph fold(const JobGraph& job, std::span<const std::uint64_t> rank_colours) {
  SIM_ASSERT(rank_colours.size() == job.ranks.size(), rank_colours.size());
  Colouring ranks = classes_of(rank_colours);
  Colouring groups{std::vector<std::uint32_t>(job.communicators.size(), 0), 1};
  std::vector<std::uint64_t> rank_signatures(job.ranks.size());
  std::vector<std::uint64_t> group_signatures(job.communicators.size());
  for (std::uint32_t before = 0; before != ranks.colours + groups.colours;) {
    before = ranks.colours + groups.colours;
    for (std::size_t i = 0; i < job.communicators.size(); ++i) {
      const Communicator& group = job.communicators[i];
      const bool ordered = group.role == Role::forward_edge || group.role == Role::backward_edge;
      std::uint64_t sum = combined(static_cast<std::uint64_t>(group.role), group.size);
      for (const std::uint32_t member : job.members_of(group)) {
        const std::uint64_t one = mix(ranks.colour[member]);
        sum = ordered ? combined(sum, one) : sum + one;
      }
      group_signatures[i] = combined(sum, groups.colour[i]);
    }
    groups = classes_of(group_signatures);
    const auto of = [&](std::uint32_t id) {
      return id == no_communicator ? std::uint64_t{no_communicator} : groups.colour[id];
    };
    for (std::size_t i = 0; i < job.ranks.size(); ++i) {
      std::uint64_t sum = mix(ranks.colour[i]);
      for (const std::uint32_t id : job.ranks[i].communicator) sum = combined(sum, of(id));
      for (const std::uint32_t id : job.ranks[i].incoming) sum = combined(sum, of(id));
      rank_signatures[i] = sum;
    }
    ranks = classes_of(rank_signatures);
  }

  JobGraph folded;
  folded.ranks.resize(ranks.colours);
  for (JobRank& rank : folded.ranks) rank.stands_for = 0;
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    JobRank& rank = folded.ranks[ranks.colour[i]];
    if (rank.stands_for == 0) {
      rank = job.ranks[i];
      rank.stands_for = 0;
      for (std::uint32_t& id : rank.communicator) {
        if (id != no_communicator) id = groups.colour[id];
      }
      for (std::uint32_t& id : rank.incoming) {
        if (id != no_communicator) id = groups.colour[id];
      }
    }
    ++rank.stands_for;
  }
  folded.communicators.resize(groups.colours);
  for (Communicator& group : folded.communicators) group.stands_for = 0;
  for (std::size_t i = 0; i < job.communicators.size(); ++i) {
    Communicator& group = folded.communicators[groups.colour[i]];
    if (group.stands_for++ > 0) continue;
    group = job.communicators[i];
    group.stands_for = 1;
    group.first = static_cast<std::uint32_t>(folded.members.size());
    for (const std::uint32_t member : job.members_of(job.communicators[i])) {
      const std::uint32_t colour = ranks.colour[member];
      const auto known = std::span(folded.members).subspan(group.first);
      if (std::ranges::find(known, colour) == known.end()) folded.members.push_back(colour);
    }
    group.size = static_cast<std::uint32_t>(folded.members.size()) - group.first;
  }
  return folded;
}

}  // namespace cubicbench::sim
