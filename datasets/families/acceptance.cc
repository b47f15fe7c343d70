#include "datasets/families/acceptance.h"

#include <algorithm>
#include <functional>
#include <span>

#include "datasets/exhaustive/best_found.h"
#include "datasets/landscape/hill_climb.h"
#include "datasets/landscape/judge.h"
#include "scenarios/problem/score.h"
#include "support/permutation.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Acceptance;
using scenarios::Direction;
using scenarios::Reason;
using scenarios::TrueValue;
using Numbers = std::vector<std::uint64_t>;

/// Names the sample. Part of every member: never changes.
constexpr std::uint64_t sample_key = 0x66616d696c79;
constexpr std::uint64_t first_sample = 2'000;  ///< refuses most of what is refused
constexpr std::uint64_t whole_sample = 20'000;
constexpr std::size_t climbers = 8;

/// A share of the first sample is off by more than this in one draw of a thousand.
constexpr double first_margin = 0.03;
/// Likewise of the whole sample.
constexpr double runs_margin = 0.01;
constexpr double percentile_margin = 1.0;
/// What is better than a baseline at the upper limit is this many times as much as it must be.
constexpr double better_margin = 2.0;
/// Climbs find the optimum, or a little less.
constexpr double gain_margin = 0.02;

struct Row {
  std::uint64_t number = 0;
  double value = 0.0;
};

/// Rows of the sample: how many there are, and those that run.
struct Sample {
  std::uint64_t rows = 0;
  std::vector<Row> running;

  double runs() const {
    return static_cast<double>(running.size()) /
           static_cast<double>(std::max<std::uint64_t>(rows, 1));
  }
};

bool within(double value, double min, double max) { return min <= value && value <= max; }

void draw(const Judge& judge, std::uint64_t configurations, std::uint64_t rows, Sample& sample) {
  const support::Permutation permutation(configurations, sample_key);
  Numbers numbers;
  for (std::uint64_t row = sample.rows; row < std::min(rows, configurations); ++row) {
    numbers.push_back(permutation(row));
  }
  const std::vector<TrueValue> values = judge(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (values[i].reason == Reason::none) sample.running.push_back({numbers[i], values[i].value});
  }
  sample.rows += numbers.size();
}

void sort_best_first(std::vector<Row>& rows, Direction direction) {
  std::ranges::sort(rows, [&](const Row& a, const Row& b) {
    return a.value == b.value ? a.number < b.number : is_better(a.value, b.value, direction);
  });
}

/// One draw that is judged, one property after another.
class Judgement {
 public:
  Judgement(const scenarios::Scenario& draft, const scenarios::Ladder& ladder,
            const Acceptance& accept, int threads)
      : draft_(draft),
        ladder_(ladder),
        accept_(accept),
        instance_(draft, 0),
        judge_(truth_judge(instance_, threads)) {}

  JudgedDraw judged() {
    constexpr std::array<bool (Judgement::*)(), refusal_names.size()> checks{
        &Judgement::space_fits,        &Judgement::baseline_runs,
        &Judgement::enough_runs,       &Judgement::baseline_is_expert,
        &Judgement::something_to_gain, &Judgement::order_says_nothing};
    for (std::size_t i = 0; i < checks.size() && !draw_.refusal; ++i) {
      if (!(this->*checks[i])()) draw_.refusal = static_cast<Refusal>(i);
    }
    for (const Row& row : sample_.running) draw_.running.push_back(row.value);
    return std::move(draw_);
  }

 private:
  bool space_fits() {
    const std::uint64_t count = draft_.space.count();
    draw_.properties.configurations = count;
    const auto size = static_cast<double>(count);
    return within(size, accept_.configurations.min, accept_.configurations.max) &&
           size >= 10.0 * static_cast<double>(draft_.budget.trials);
  }

  bool baseline_runs() {
    draw_.baseline = baseline_by_rule(ladder_, instance_);
    if (!draw_.baseline) return false;
    draw_.properties.rule_launches = draw_.baseline->launches;
    return true;
  }

  bool enough_runs() {
    draw(judge_, draft_.space.count(), first_sample, sample_);
    const Acceptance::Limits& limits = accept_.runs;
    draw_.properties.runs = sample_.runs();
    if (!within(sample_.runs(), limits.min - first_margin, limits.max + first_margin)) return false;
    draw(judge_, draft_.space.count(), whole_sample, sample_);
    draw_.properties.runs = sample_.runs();
    return within(sample_.runs(), limits.min + runs_margin, limits.max - runs_margin);
  }

  bool baseline_is_expert() {
    sort_best_first(sample_.running, draft_.objective.direction);
    const auto better = std::ranges::count_if(sample_.running, [&](const Row& row) {
      return is_better(row.value, draw_.baseline->value, draft_.objective.direction);
    });
    const double share = static_cast<double>(better) / static_cast<double>(sample_.running.size());
    draw_.properties.percentile = 100.0 * (1.0 - share);
    const double least = better_margin * (1.0 - accept_.percentile.max / 100.0);
    return share >= least &&
           draw_.properties.percentile >= accept_.percentile.min + percentile_margin;
  }

  bool something_to_gain() {
    Numbers starts{draft_.space.number_of(draw_.baseline->configuration)};
    for (std::size_t i = 0; i < std::min(climbers, sample_.running.size()); ++i) {
      starts.push_back(sample_.running[i].number);
    }
    const auto best = hill_climb(draft_.space, draft_.objective.direction, judge_, starts);
    draw_.best_known = best->number;
    draw_.best_value = best->value;
    const double gain = best->value / draw_.baseline->value;
    draw_.properties.gain = draft_.objective.direction == Direction::maximize ? gain : 1.0 / gain;
    return within(draw_.properties.gain, accept_.gain.min + gain_margin,
                  accept_.gain.max - gain_margin);
  }

  bool order_says_nothing() {
    const scenarios::Objective& objective = draft_.objective;
    const Gap gap{.baseline = scenarios::score_of(objective, draw_.baseline->value),
                  .best = scenarios::score_of(objective, draw_.best_value)};
    std::vector<double> running;
    for (const Row& row : sample_.running) {
      running.push_back(scenarios::score_of(objective, row.value));
    }
    draw_.properties.random = expected_closed(gap, running, sample_.rows, draft_.budget.trials);
    draw_.properties.orders = trivial_orders(draft_, gap, judge_);
    return draw_.properties.orders.best() <= draw_.properties.random;
  }

  const scenarios::Scenario& draft_;
  const scenarios::Ladder& ladder_;
  const Acceptance& accept_;
  scenarios::Instance instance_;
  Judge judge_;
  Sample sample_;
  JudgedDraw draw_;
};

}  // namespace

JudgedDraw judge_draw(const scenarios::Scenario& draft, const scenarios::Ladder& ladder,
                      const Acceptance& accept, int threads) {
  return Judgement(draft, ladder, accept, threads).judged();
}

}  // namespace cubicbench::datasets
