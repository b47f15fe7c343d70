#include "search/searchers/candidate_pool.h"

#include <algorithm>

namespace cubicbench::search {

Reward CandidatePool::reward() {
  return [this](std::span<const scenarios::Configuration> configurations,
                std::span<double> rewards) { judge(configurations, rewards); };
}

void CandidatePool::add_all() {
  constexpr std::uint64_t at_once = 256;
  std::vector<double> rewards;
  for (std::uint64_t begin = 0; begin < space_.count(); begin += at_once) {
    const std::uint64_t end = std::min(space_.count(), begin + at_once);
    std::vector<scenarios::Configuration> some;
    for (std::uint64_t number = begin; number < end; ++number) {
      some.emplace_back(space_.size());
      space_.configuration_at(number, some.back());
    }
    rewards.resize(some.size());
    judge(some, rewards);
  }
}

std::vector<Candidate> CandidatePool::best_first() const {
  std::vector<Candidate> sorted = found_;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Candidate::reward);
  return sorted;
}

void CandidatePool::judge(std::span<const scenarios::Configuration> configurations,
                          std::span<double> rewards) {
  fresh_.clear();
  const std::size_t before = found_.size();
  std::vector<std::size_t> places;
  for (const scenarios::Configuration& config : configurations) {
    const std::uint64_t number = space_.number_of(config);
    const auto [at, is_new] = place_.try_emplace(number, found_.size());
    if (is_new) {
      found_.push_back({.number = number});
      fresh_.push_back(config);
    }
    places.push_back(at->second);
  }
  fresh_rewards_.resize(fresh_.size());
  judge_(fresh_, fresh_rewards_);
  for (std::size_t i = 0; i < fresh_.size(); ++i) found_[before + i].reward = fresh_rewards_[i];
  for (std::size_t i = 0; i < places.size(); ++i) rewards[i] = found_[places[i]].reward;
}

}  // namespace cubicbench::search
