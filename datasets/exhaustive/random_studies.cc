#include "datasets/exhaustive/random_studies.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "datasets/exhaustive/counted_ranks.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/parallel.h"
#include "support/statistics/mean.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Reason;

/// Part of every enumeration that was written: never changes.
constexpr std::uint64_t studies_key = 0x73747564;
constexpr std::size_t groups = 10;
constexpr std::size_t studies_per_block = 1'000;  // studies that one thread simulates at a time

/// A trial as a study needs it.
struct Trial {
  std::int64_t launches = 1;
  double score = 0.0;
  std::uint32_t worth = 0;  ///< rank of the true value among those of the pool, 0: fails
};

/// From launch `after` on a study recommends what is worth `worth`.
struct Pick {
  std::uint32_t study = 0;
  std::uint32_t after = 0;
  std::uint32_t worth = 0;
};

/// True values by rank, the worst first; rank 0 is that of what fails.
class Worths {
 public:
  Worths(std::span<const LaunchedTrial> pool, const std::optional<LaunchedTrial>& first,
         bool less_is_better)
      : sign_(less_is_better ? -1.0 : 1.0) {
    for (const LaunchedTrial& trial : pool) add(trial);
    if (first) add(*first);
    std::ranges::sort(qualities_);
    qualities_.erase(std::unique(qualities_.begin(), qualities_.end()), qualities_.end());
  }

  Trial trial_of(const LaunchedTrial& from) const {
    Trial trial{.launches = from.launches, .score = from.score};
    if (from.truth.reason != Reason::none) return trial;
    const auto at = std::ranges::lower_bound(qualities_, sign_ * from.truth.value);
    trial.worth = static_cast<std::uint32_t>(at - qualities_.begin()) + 1;
    return trial;
  }

  std::size_t ranks() const { return qualities_.size() + 1; }

  std::optional<double> value(std::size_t rank) const {
    return rank == 0 ? std::nullopt : std::optional(sign_ * qualities_[rank - 1]);
  }

 private:
  void add(const LaunchedTrial& trial) {
    if (trial.truth.reason == Reason::none) qualities_.push_back(sign_ * trial.truth.value);
  }

  double sign_;
  std::vector<double> qualities_;
};

/// Draws from a slice of the pool without repeats. The order that a study leaves is undone.
class Urn {
 public:
  explicit Urn(std::size_t size) : order_(size) { std::iota(order_.begin(), order_.end(), 0U); }

  bool empty() const { return drawn_ == order_.size(); }

  /// Step of the shuffle of Fisher and Yates [Knuth, 3.4.2, Algorithm P]. Requires that it is not
  /// empty.
  std::size_t draw(std::uint64_t study) {
    const std::uint64_t left = order_.size() - drawn_;
    const std::uint64_t at =
        drawn_ + sim::uniform_below({.seed = studies_key,
                                     .purpose = sim::Purpose::random_studies,
                                     .entity = study,
                                     .draw = static_cast<std::uint32_t>(drawn_)},
                                    left);
    std::swap(order_[drawn_], order_[at]);
    swapped_.push_back(at);
    return order_[drawn_++];
  }

  void put_back() {
    while (drawn_ > 0) {
      --drawn_;
      std::swap(order_[drawn_], order_[swapped_.back()]);
      swapped_.pop_back();
    }
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> swapped_;
  std::size_t drawn_ = 0;
};

/// One study: appends its picks.
class Study {
 public:
  Study(std::uint32_t number, std::size_t launches, std::vector<Pick>& picks)
      : number_(number), launches_(static_cast<std::int64_t>(launches)), picks_(picks) {}

  bool over() const { return launched_ >= launches_; }

  void take(const Trial& trial) {
    launched_ += trial.launches;
    if (launched_ > launches_ || !(trial.score > best_)) return;
    best_ = trial.score;
    picks_.push_back(
        {.study = number_, .after = static_cast<std::uint32_t>(launched_), .worth = trial.worth});
  }

 private:
  std::uint32_t number_;
  std::int64_t launches_;
  std::vector<Pick>& picks_;
  std::int64_t launched_ = 0;
  double best_ = -std::numeric_limits<double>::infinity();
};

/// Every pick of every study, by study.
class Simulated {
 public:
  Simulated(std::vector<Trial> pool, std::size_t slice, std::optional<Trial> first,
            std::size_t launches)
      : pool_(std::move(pool)), slice_(slice), first_(first), launches_(launches) {}

  std::vector<Pick> picks(std::size_t studies, int threads) const {
    std::vector<std::vector<Pick>> of_block((studies + studies_per_block - 1) / studies_per_block);
    support::parallel_for(of_block.size(), threads, [&](std::size_t b) {
      Urn urn(slice_);
      const std::size_t end = std::min(studies, (b + 1) * studies_per_block);
      for (std::size_t s = b * studies_per_block; s < end; ++s) simulate(s, urn, of_block[b]);
    });
    std::vector<Pick> all;
    for (const std::vector<Pick>& some : of_block) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

 private:
  void simulate(std::size_t number, Urn& urn, std::vector<Pick>& picks) const {
    const std::size_t offset = slice_ == pool_.size() ? 0 : number % groups * slice_;
    Study study(static_cast<std::uint32_t>(number), launches_, picks);
    if (first_) study.take(*first_);
    while (!study.over() && !urn.empty()) study.take(pool_[offset + urn.draw(number)]);
    urn.put_back();
  }

  std::vector<Trial> pool_;
  std::size_t slice_;
  std::optional<Trial> first_;
  std::size_t launches_;
};

/// Where all studies are after a number of launches.
class Standing {
 public:
  Standing(const Worths& worths, std::size_t studies)
      : worths_(worths), now_(studies), counts_(worths.ranks()), group_sums_(groups) {
    counts_.add(0, count());
  }

  void move(const Pick& pick) {
    const std::uint32_t before = std::exchange(now_[pick.study], pick.worth);
    counts_.add(before, -1);
    counts_.add(pick.worth, 1);
    const double gained =
        worths_.value(pick.worth).value_or(0.0) - worths_.value(before).value_or(0.0);
    group_sums_[pick.study % groups] += gained;
  }

  RandomAfter summary() const {
    const std::int64_t failing = counts_.below(1);
    const auto studies = static_cast<double>(count());
    RandomAfter after{.failing = static_cast<double>(failing) / studies, .error = error()};
    if (failing < count()) {
      const double sum = std::accumulate(group_sums_.begin(), group_sums_.end(), 0.0);
      after.mean = sum / static_cast<double>(count() - failing);
    }
    after.half = band(0.25, 0.5);
    after.nine_tenths = band(0.05, 0.9);
    return after;
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(now_.size()); }

  /// Studies take groups in turn, so group sizes differ by at most one.
  double error() const {
    std::vector<double> means;
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t members = (now_.size() + groups - 1 - g) / groups;
      means.push_back(group_sums_[g] / static_cast<double>(members));
    }
    return support::mean_and_sd(means).sd / std::sqrt(static_cast<double>(groups));
  }

  RandomBand band(double from, double held) const {
    const auto studies = static_cast<double>(count());
    const auto first = std::max<std::int64_t>(1, std::llround(from * studies));
    const std::size_t worse = counts_.rank_of(first);
    const std::int64_t last = counts_.below(worse) + std::llround(held * studies);
    return {.worse = worths_.value(worse),
            .better = worths_.value(counts_.rank_of(std::min(last, count())))};
  }

  const Worths& worths_;
  std::vector<std::uint32_t> now_;  ///< worth of each study's recommendation
  CountedRanks counts_;
  std::vector<double> group_sums_;
};

std::vector<RandomAfter> summaries(const Worths& worths, std::vector<Pick> picks,
                                   std::size_t studies, std::size_t launches) {
  std::ranges::stable_sort(picks, {}, &Pick::after);
  Standing standing(worths, studies);
  std::vector<RandomAfter> all;
  auto next = picks.begin();
  for (std::size_t launch = 1; launch <= launches; ++launch) {
    for (; next != picks.end() && next->after == launch; ++next) standing.move(*next);
    all.push_back(standing.summary());
  }
  return all;
}

/// The six digits of an estimate that can mean something.
double rounded(double value) {
  constexpr int digits = 6;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits);
  double read = 0.0;
  std::from_chars(text.data(), end.ptr, read);
  return read;
}

void round_numbers(RandomBand& band) {
  for (std::optional<double>* const edge : {&band.worse, &band.better}) {
    if (*edge) *edge = rounded(**edge);
  }
}

std::vector<RandomAfter> with_few_digits(std::vector<RandomAfter> curve) {
  for (RandomAfter& after : curve) {
    if (after.mean) after.mean = rounded(*after.mean);
    after.error = rounded(after.error);
    round_numbers(after.half);
    round_numbers(after.nine_tenths);
  }
  return curve;
}

}  // namespace

std::vector<RandomAfter> random_studies(std::span<const LaunchedTrial> pool, bool sample,
                                        const std::optional<LaunchedTrial>& first,
                                        bool less_is_better, std::size_t launches, int threads,
                                        std::size_t studies) {
  SIM_ASSERT(studies >= groups, studies);
  SIM_ASSERT(!sample || pool.size() >= groups * launches, pool.size(), launches);
  const Worths worths(pool, first, less_is_better);
  std::vector<Trial> trials;
  for (const LaunchedTrial& trial : pool) trials.push_back(worths.trial_of(trial));
  const std::size_t slice = sample ? trials.size() / groups : trials.size();
  const auto start = first ? std::optional(worths.trial_of(*first)) : std::nullopt;
  const Simulated simulated(std::move(trials), slice, start, launches);
  return summaries(worths, simulated.picks(studies, threads), studies, launches);
}

RandomSearchCurves random_search_curves(const scenarios::Instance& instance,
                                        const std::optional<scenarios::Configuration>& baseline,
                                        std::size_t launches, std::size_t studies, int threads,
                                        const std::function<void()>& look) {
  const scenarios::Scenario& scenario = instance.scenario();
  const std::uint64_t pool_size = std::max<std::uint64_t>(random_pool_max, groups * launches);
  const bool sample = scenario.space.count() > pool_size;
  const bool less = scenario.objective.direction == scenarios::Direction::minimize;
  const std::vector<LaunchedTrial> pool = launched_pool(instance, pool_size, threads, look);
  RandomSearchCurves curves{.studies = static_cast<std::int64_t>(studies)};
  const auto curve = [&](const std::optional<LaunchedTrial>& first) {
    return with_few_digits(random_studies(pool, sample, first, less, launches, threads, studies));
  };
  if (baseline) {
    sim::Workspace workspace;
    curves.from_baseline = curve(launched_trial(instance, *baseline, workspace));
  }
  curves.from_nothing = curve({});
  return curves;
}

}  // namespace cubicbench::datasets
