#include "datasets/logs/steady_step.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "support/statistics/median_low.h"
#include "support/statistics/quantile.h"

namespace cubicbench::datasets {
namespace {

using Records = std::vector<LoggedStep>;

constexpr double warm_up_deviation = 0.1;
constexpr double too_fast = 0.5;
constexpr double far_apart = 1.5;
constexpr double contradiction = 0.02;  // beyond what rounding explains

/// Proportional to the time of the step.
double time_of(const LoggedStep& step) {
  if (step.seconds > 0.0) return step.seconds;
  return 1.0 / std::max(step.tokens_per_s_per_gpu, step.samples_per_s);
}

std::vector<double> times_of(const Records& records) {
  std::vector<double> times;
  for (const LoggedStep& step : records) times.push_back(time_of(step));
  return times;
}

/// Without those for which `is_out` holds, unless that would be all of them; how many went.
template <typename IsOut>
std::size_t take_out(Records& records, IsOut is_out) {
  Records kept;
  for (const LoggedStep& step : records) {
    if (!is_out(step)) kept.push_back(step);
  }
  if (kept.empty()) return 0;
  const std::size_t gone = records.size() - kept.size();
  records = std::move(kept);
  return gone;
}

std::size_t take_doubled(Records& records) {
  std::set<std::int64_t> seen;
  return take_out(records,
                  [&](const LoggedStep& step) { return !seen.insert(step.number).second; });
}

/// The most frequent batch of the second half; of several the one that came last.
double final_batch(const Records& records) {
  std::map<double, std::size_t> counts;
  double best = records.back().batch;
  for (std::size_t i = records.size(); i-- > records.size() / 2;) {
    ++counts[records[i].batch];
    if (counts[records[i].batch] > counts[best]) best = records[i].batch;
  }
  return best;
}

std::size_t take_ramp(Records& records) {
  const double batch = final_batch(records);
  return take_out(records, [&](const LoggedStep& step) { return step.batch != batch; });
}

/// The work of a step over its batch, by one of its rates; 0 where it does not state that.
double work_of(const LoggedStep& step, std::string_view rate) {
  for (const LoggedStep::Rate& one : step.rates) {
    if (one.name == rate) return one.value * time_of(step);
  }
  return 0.0;
}

double rounding_of_work(const LoggedStep& step, std::string_view rate) {
  for (const LoggedStep::Rate& one : step.rates) {
    if (one.name == rate) return one.rounding + step.rounding;
  }
  return 0.0;
}

/// Records whose work by this rate is not that of most of them; none where work varies.
std::set<std::size_t> contradictory(const Records& records, std::string_view rate) {
  std::vector<double> works;
  for (const LoggedStep& step : records) {
    if (const double work = work_of(step, rate); work > 0.0) works.push_back(work);
  }
  constexpr std::size_t few = 3;
  if (works.size() < few) return {};
  const double usual = support::median(works);
  std::set<std::size_t> others;
  for (const LoggedStep& step : records) {
    const double work = work_of(step, rate);
    const double off = std::abs(work / usual - 1.0);
    if (work > 0.0 && off > contradiction + rounding_of_work(step, rate)) others.insert(step.line);
  }
  return 2 * others.size() < works.size() ? others : std::set<std::size_t>{};
}

void take_contradictory(Records& records, SteadyStep& steady) {
  std::set<std::size_t> lines;
  std::set<std::string_view> rates;
  for (const LoggedStep& step : records) {
    for (const LoggedStep::Rate& rate : step.rates) rates.insert(rate.name);
  }
  for (const std::string_view rate : rates) lines.merge(contradictory(records, rate));
  const auto is_out = [&](const LoggedStep& step) { return lines.contains(step.line); };
  for (const LoggedStep& step : records) {
    if (!is_out(step)) continue;
    steady.named.push_back({step.line,
                            "a record whose time and rates contradict each other, "
                            "unlike those of the others"});
  }
  steady.contradictory = take_out(records, is_out);
}

/// Did training pause between the record before and this one? A program that pauses before most
/// of its records leaves the pauses out itself.
std::size_t take_paused(Records& records, const std::vector<std::size_t>& pauses) {
  std::set<std::size_t> paused;
  std::size_t before = 0;
  for (const LoggedStep& step : records) {
    const auto next = std::ranges::upper_bound(pauses, before);
    if (before > 0 && next != pauses.end() && *next < step.line) paused.insert(step.line);
    before = step.line;
  }
  if (2 * paused.size() >= records.size()) return 0;
  return take_out(records, [&](const LoggedStep& step) { return paused.contains(step.line); });
}

/// Steps that are prepared while others run may come back at once, too: those that are twice as
/// fast as the later ones are warm-up however many there are.
std::size_t warm_up_of(const std::vector<double>& times) {
  if (times.size() < 2) return 0;
  std::size_t out = 1;
  while (out + 1 < times.size()) {
    const auto later = times.begin() + static_cast<std::ptrdiff_t>(out) + 1;
    const double usual = support::median_low({later, times.end()});
    const bool is_fast = times[out] < too_fast * usual;
    const bool is_off = std::abs(times[out] / usual - 1.0) > warm_up_deviation;
    if (!is_fast && !(is_off && out < times.size() / 2)) break;
    ++out;
  }
  return out;
}

void take_too_fast(Records& records, SteadyStep& steady) {
  const double usual = support::median_low(times_of(records));
  const auto is_out = [&](const LoggedStep& step) { return time_of(step) < too_fast * usual; };
  for (const LoggedStep& step : records) {
    if (is_out(step)) steady.named.push_back({step.line, "a record twice as fast as the others"});
  }
  steady.too_fast = take_out(records, is_out);
}

/// Pauses make steps longer, never shorter: where the two records in the middle are far apart, the
/// slower of them, and what is slower, does not count.
void take_slower_half(Records& records, SteadyStep& steady) {
  if (records.size() % 2 != 0) return;
  std::vector<double> times = times_of(records);
  const double low = support::median_low(times);
  const double high = support::median_high(std::move(times));
  if (high <= far_apart * low) return;
  const auto is_out = [&](const LoggedStep& step) { return time_of(step) >= high; };
  const auto slower = std::ranges::find_if(records, is_out);
  steady.named.push_back({slower->line,
                          "half of the records disagree with the others by more than "
                          "a half: the faster ones count"});
  steady.too_slow = take_out(records, is_out);
}

/// The median of what the records state in that member; nothing where they do not.
std::optional<double> middle(const Records& records, double LoggedStep::*member) {
  std::vector<double> values;
  for (const LoggedStep& step : records) {
    if (step.*member > 0.0) values.push_back(step.*member);
  }
  return support::median_if_any(std::move(values));
}

}  // namespace

SteadyStep steady_step(const LoggedRun& run) {
  SteadyStep steady;
  Records records = run.steps;
  steady.records = records.size();
  if (records.empty()) return steady;
  steady.doubled = take_doubled(records);
  steady.ramp = take_ramp(records);
  take_contradictory(records, steady);
  steady.paused = take_paused(records, run.pauses);
  steady.warm_up = warm_up_of(times_of(records));
  records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(steady.warm_up));
  take_too_fast(records, steady);
  take_slower_half(records, steady);
  steady.used = records.size();
  steady.batch = records.back().batch;
  steady.seconds = middle(records, &LoggedStep::seconds);
  steady.tokens_per_s_per_gpu = middle(records, &LoggedStep::tokens_per_s_per_gpu);
  steady.samples_per_s = middle(records, &LoggedStep::samples_per_s);
  return steady;
}

}  // namespace cubicbench::datasets
