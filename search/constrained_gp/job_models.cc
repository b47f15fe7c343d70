#include "search/constrained_gp/job_models.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/numeric.h"
#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

/// See value_lesson().
constexpr double recommended_tail = 3.0;

/// Rates of knobs take a step of a factor of three, at a cost of half a nat each.
predictor::KernelSearch kernel_search(bool rates, std::vector<double> noises) {
  return {.noises = std::move(noises), .sweeps = rates ? 1U : 0U};
}

/// Launches differ in speed by several per cent, in memory by one.
predictor::KernelSearch of_speed(const ModelOptions& options) {
  return kernel_search(options.rates, {0.001, 0.01, 0.05, 0.15});
}
predictor::KernelSearch of_memory(const ModelOptions& options) {
  return kernel_search(options.rates, {0.0001, 0.001, 0.01, 0.05});
}

}  // namespace

JobModels::JobModels(std::span<const predictor::KnobAxis> axes, const ModelOptions& options)
    : options_(options),
      value_(axes, of_speed(options), options.keep, Kept::highest),
      memory_(axes, of_memory(options), options.keep, Kept::next_to_zero),
      time_(axes, of_speed(options), options.keep, Kept::next_to_zero),
      failure_(axes, of_speed(options), options.keep, Kept::next_to_zero) {}

void JobModels::add(Job job) {
  learnt_ = false;
  const auto same = [&](const Job& other) { return other.config == job.config; };
  if (const auto there = std::ranges::find_if(jobs_, same); there != jobs_.end()) {
    *there = std::move(job);
    forget();
  } else {
    jobs_.push_back(std::move(job));
  }
}

void JobModels::forget() {
  for (LearntProcess* learnt : {&value_, &memory_, &time_, &failure_}) learnt->forget();
}

void JobModels::learn() {
  if (!learnt_) learn(options_.tail);
}

void JobModels::learn(double tail) {
  learnt_ = true;
  value_.learn(jobs_, value_lesson(jobs_, tail));
  const bool bytes = options_.memory && tells_bytes(jobs_);
  if (bytes && !bytes_) failure_.forget();
  bytes_ = bytes;
  if (bytes) memory_.learn(jobs_, memory_lesson(jobs_));
  if (options_.time) time_.learn(jobs_, time_lesson(jobs_));
  failure_.learn(jobs_, failure_lesson(jobs_, {.memory = !bytes, .time = !options_.time}));
}

void JobModels::learn_to_recommend() {
  forget();
  learn(recommended_tail);
  learnt_ = false;
}

void JobModels::believe(std::span<const std::uint8_t> levels) {
  for (LearntProcess* learnt : {&value_, &memory_, &time_, &failure_}) learnt->believe(levels);
}

std::vector<const predictor::GaussianProcess*> JobModels::limits() const {
  std::vector<const predictor::GaussianProcess*> limits;
  for (const LearntProcess* learnt : {&memory_, &time_, &failure_}) {
    if (learnt->informed()) limits.push_back(&learnt->process());
  }
  return limits;
}

/// What ran, the best by what is expected of it first.
Lesson JobModels::ranked() const {
  if (!value_.informed()) return value_lesson(jobs_, options_.tail);
  const Lesson expected = value_.expected();
  std::vector<std::size_t> order(expected.jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return expected.targets[i]; });
  Lesson ranked;
  for (const std::size_t i : order) ranked.add(expected.jobs[i], expected.targets[i]);
  return ranked;
}

std::vector<std::size_t> JobModels::best_jobs(std::size_t count) const {
  std::vector<std::size_t> jobs = ranked().jobs;
  if (jobs.size() > count) jobs.resize(count);
  return jobs;
}

Acquisition JobModels::acquisition() const {
  if (!value_.informed()) return {nullptr, limits(), 0.0};
  return {&value_.process(), limits(), ranked().targets.front(), options_.explore};
}

Acquisition JobModels::gain_over_worst() const {
  if (!value_.informed()) return {nullptr, limits(), 0.0};
  return {&value_.process(), limits(), ranked().targets.back()};
}

double JobModels::chance_to_run(const Job& job) const {
  const auto below = [&](const LearntProcess& limit, double luck) {
    if (!limit.informed()) return 1.0;
    const predictor::Normal f = limit.process().at(job.levels);
    return support::normal_tail(f.mean / std::sqrt(f.deviation * f.deviation + luck * luck));
  };
  const predictor::GaussianProcess& value = value_.process();
  const double luck = value.scale() * std::sqrt(value.noise());
  const double chance = below(time_, luck) * below(failure_, 0.0);
  return chance * below(memory_, 0.0);
}

std::optional<std::size_t> JobModels::recommended() const {
  if (!value_.informed()) return std::nullopt;
  const Lesson ran = ranked();
  const auto first = std::ranges::find(jobs_, JobEnd::ran, &Job::end);
  const double start = value_.process().at(first->levels).mean;
  const double gain = ran.targets.front() - start;
  std::optional<std::size_t> best;
  double most = 0.0;
  for (std::size_t i = 0; i < ran.jobs.size(); ++i) {
    const double chance = chance_to_run(jobs_[ran.jobs[i]]);
    const double worth = chance * (ran.targets[i] - start) - (1.0 - chance) * gain;
    if (best && worth <= most) continue;
    best = ran.jobs[i];
    most = worth;
  }
  return best;
}

}  // namespace cubicbench::search
