#include "sim/engine/event/rank_temper.h"

#include <map>
#include <tuple>

#include "sim/base/numeric.h"
#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

/// Of one rank, over the ideal step.
double lateness(const LateRanks& late, std::uint64_t rank) {
  const double u = uniform(
      {.seed = late.seed, .purpose = Purpose::late_rank, .entity = rank, .draw = late.step});
  return -late.gpu_mean * log(1.0 - u);
}

}  // namespace

std::vector<RankTemper> tempers_of(const std::optional<LateRanks>& late,
                                   const Conditions& conditions, std::size_t ranks, Seconds ideal) {
  if (!late && conditions.slow_ranks.empty() && conditions.failed_ranks.empty()) return {};
  std::vector<RankTemper> tempers(ranks);
  for (std::size_t i = 0; late && i < ranks; ++i) {
    tempers[i].late = to_sim_time(lateness(*late, i) * ideal);
  }
  for (const SlowRank& slow : conditions.slow_ranks) {
    tempers[static_cast<std::size_t>(slow.rank)].factor = slow.factor;
  }
  for (const FailedRank& failed : conditions.failed_ranks) {
    RankTemper& temper = tempers[static_cast<std::size_t>(failed.rank)];
    temper.fails = true;
    temper.fails_at = to_sim_time(failed.at);
  }
  return tempers;
}

std::vector<std::uint64_t> colours_of(const JobGraph& job, const std::vector<RankTemper>& tempers) {
  std::map<std::tuple<std::uint16_t, double, SimTime, bool, SimTime>, std::uint64_t> known;
  std::vector<std::uint64_t> colours;
  for (std::size_t i = 0; i < job.ranks.size(); ++i) {
    const RankTemper temper = tempers.empty() ? RankTemper{} : tempers[i];
    colours.push_back(known
                          .try_emplace({job.ranks[i].stage, temper.factor, temper.late,
                                        temper.fails, temper.fails_at},
                                       known.size())
                          .first->second);
  }
  return colours;
}

}  // namespace cubicbench::sim
