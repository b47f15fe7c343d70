#include "datasets/exhaustive/distribution.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "datasets/exhaustive/best_of_k_quantiles.h"
#include "datasets/exhaustive/best_of_k_sums.h"
#include "sim/base/check.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

/// Takes runs one after another and keeps what the answers need.
class Summary {
 public:
  Summary(const DistributionQuestion& question, int threads)
      : question_(question),
        threads_(threads),
        running_(question.configurations - question.failed),
        sums_(question.direction, question.configurations, question.k_max),
        best_quantiles_(question.direction, question.configurations, question.failed,
                        question.k_max, threads) {}

  void add(const ValueRun& run) {
    SIM_ASSERT(run.value >= 0.0, run.value);
    add_gap(run);
    below_ += run.count;
    add_quantiles(run.value);
    best_quantiles_.add(run.value, below_);
    if (question_.baseline && maximize() && run.value > *question_.baseline) better_ += run.count;
    if (question_.baseline && !maximize() && run.value < *question_.baseline) better_ += run.count;
    last_ = run.value;
  }

  DistributionSummary result() {
    if (below_ != running_) {
      throw support::InputError("values of the enumeration",
                                "expected those of " + std::to_string(running_) +
                                    " configurations, got " + std::to_string(below_));
    }
    sums_.add(gaps_, threads_);
    // Without a baseline's value everything that runs is better.
    if (!question_.baseline) better_ = running_;
    // A failure counts 0 where more is better; a gap from there to the first value was added.
    const double lowest = maximize() && question_.failed > 0 ? 0.0 : first_;
    DistributionSummary summary{.quantiles = std::move(quantiles_),
                                .best_of_k = sums_.result(lowest, maximize() ? last_ : first_),
                                .better = better_};
    best_quantiles_.give(maximize() ? 0.0 : last_, summary.best_of_k);
    return summary;
  }

 private:
  static constexpr std::size_t gaps_max = 64 * BestOfKSums::block;

  bool maximize() const { return question_.direction == scenarios::Direction::maximize; }

  void add_gap(const ValueRun& run) {
    const std::uint64_t before = below_ + (maximize() ? question_.failed : 0);
    if (below_ == 0) first_ = run.value;
    if (before == 0) return;
    const double from = below_ == 0 ? 0.0 : last_;
    // Where less is better, failures count as the worst value.
    const std::uint64_t worse = maximize() ? before : question_.configurations - before;
    gaps_.push_back({.width = run.value - from, .worse = worse});
    if (gaps_.size() < gaps_max) return;
    sums_.add(gaps_, threads_);
    gaps_.clear();
  }

  /// Those whose rank, the smallest count that is no smaller than its share, is reached.
  void add_quantiles(double value) {
    constexpr std::uint64_t steps = quantile_count - 1;
    while (quantiles_.size() < quantile_count) {
      const std::uint64_t i = quantiles_.size();
      // ceil(i n / steps), without the overflow of i n.
      const std::uint64_t whole = running_ / steps * i;
      const std::uint64_t rank = whole + (running_ % steps * i + steps - 1) / steps;
      if (below_ < std::max<std::uint64_t>(rank, 1)) return;
      quantiles_.push_back(value);
    }
  }

  DistributionQuestion question_;
  int threads_;
  std::uint64_t running_;
  BestOfKSums sums_;
  BestOfKQuantiles best_quantiles_;
  std::vector<ValueGap> gaps_;
  std::vector<double> quantiles_;
  std::uint64_t below_ = 0;  ///< configurations with the values so far
  std::uint64_t better_ = 0;
  double first_ = 0.0;
  double last_ = 0.0;
};

}  // namespace

DistributionSummary summarised(MergedRuns values, const DistributionQuestion& question, int threads,
                               const std::function<void()>& look) {
  if (question.configurations == question.failed) return {};
  constexpr std::size_t runs_max = std::size_t{1} << 14;
  Summary summary(question, threads);
  std::vector<ValueRun> runs;
  for (values.read(runs, runs_max); !runs.empty(); values.read(runs, runs_max)) {
    if (look) look();
    for (const ValueRun& run : runs) summary.add(run);
  }
  return summary.result();
}

}  // namespace cubicbench::datasets
