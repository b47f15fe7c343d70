#include "search/tpe/tpe_trials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace cubicbench::search {

using scenarios::Reason;
using scenarios::TrialState;

void TpeTrials::add(const ToldTrial& trial) {
  Trial one{.number = trial.trial, .config = trial.config};
  if (trial.state == TrialState::complete && trial.score && !std::isnan(*trial.score)) {
    one.ran = true;
    one.worth = *trial.score;
  } else if (trial.state == TrialState::fail && trial.reason != Reason::infra) {
    const bool told = trial.over_bytes && !std::isnan(*trial.over_bytes);
    one.worth = told ? -*trial.over_bytes : -std::numeric_limits<double>::infinity();
  } else {
    return;
  }
  const auto after = std::ranges::upper_bound(trials_, one.number, {}, &Trial::number);
  trials_.insert(after, std::move(one));
}

bool TpeTrials::informed() const {
  return std::ranges::any_of(trials_, [&](const Trial& one) {
    return better(one, trials_.front()) || better(trials_.front(), one);
  });
}

std::vector<bool> TpeTrials::good() const {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = good_trials(size());
  const auto first = [&](std::size_t a, std::size_t b) {
    if (better(trials_[a], trials_[b])) return true;
    return !better(trials_[b], trials_[a]) && a < b;
  };
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), first);
  std::vector<bool> good(size(), false);
  for (std::size_t i = 0; i < count; ++i) good[order[i]] = true;
  return good;
}

std::size_t good_trials(std::size_t trials) { return std::min<std::size_t>((trials + 9) / 10, 25); }

}  // namespace cubicbench::search
