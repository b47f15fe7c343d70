#include "results/sweep/sweep.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "datasets/problem/table_scenario.h"
#include "results/simulation/part_names.h"
#include "results/simulation/simulation.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/override.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/check.h"
#include "sim/memory/memory_report.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/parallel.h"

namespace cubicbench::results {
namespace {

using scenarios::Assignment;
using support::Problem;

/// Points that one thread simulates in a row, so that copies of the problem are few.
constexpr std::size_t block_points = 64;
/// Problems that are held at once: each has a search space of its own.
constexpr std::size_t problems_at_once = 256;

/// Does it change the problem, which is then read anew? How many GPUs a job takes is the size of
/// its cluster.
bool changes_problem(const SweepAxis& axis) {
  return axis.name.find('.') != std::string::npos || axis.name == "gpus";
}

std::string set_of(const SweepAxis& axis, std::size_t value) {
  return support::joined(std::array{axis.name, axis.values[value]}, "=");
}

/// One problem of the sweep, or why it cannot be read.
struct ReadProblem {
  std::unique_ptr<const scenarios::Instance> truth;
  std::optional<sim::EventOptions> event;
  std::vector<Problem> problems;
};

std::string text_of(const std::vector<Problem>& problems) {
  return support::joined(
      problems, "; ", [](const Problem& problem) { return problem.where + ": " + problem.text; });
}

SweepPoint unreadable(const ReadProblem& read) {
  return {.status = name_of(sim::StepStatus::invalid),
          .reason = scenarios::Reason::invalid,
          .why = text_of(read.problems)};
}

SweepPoint point_of(const Simulation& of) {
  SweepPoint point{.status = status_of(of),
                   .reason = of.truth.reason,
                   .why = reason(of).value_or(""),
                   .in_space = of.in_space,
                   .bound_by = bound_by(of)};
  const sim::MemoryReport& memory = of.report.memory;
  if (of.report.status != sim::StepStatus::invalid) {
    point.memory_bytes = sim::largest_demand(memory).value;
    point.capacity_bytes = memory.capacity.value;
  }
  if (!has_step(of)) return point;
  point.step_time_s = of.report.step.value;
  point.mfu = scenarios::mfu(of.scenario, of.scenario.baseline, of.report.step);
  if (of.truth.reason == scenarios::Reason::none) point.objective = of.truth.value;
  return point;
}

/// The sweep under work. Axes are of two kinds: a combination of those that change the problem is a
/// problem, which is read once; one of the others is a list of assignments to its baseline.
class Sweeper {
 public:
  explicit Sweeper(Sweep& sweep) : sweep_(sweep), asked_(sweep.asked) {
    for (std::size_t i = 0; i < asked_.axes.size(); ++i) {
      (changes_problem(asked_.axes[i]) ? problem_axes_ : setting_axes_).push_back(i);
    }
    problems_ = combinations(problem_axes_);
    settings_ = combinations(setting_axes_);
  }

  void run() {
    check_objective();
    read_first();
    read_settings();
    sweep_.points.resize(problems_ * settings_);
    for (std::size_t first = 0; first < problems_; first += problems_at_once) {
      simulate_from(first, std::min(problems_at_once, problems_ - first));
    }
  }

 private:
  std::size_t combinations(const std::vector<std::size_t>& of) const {
    std::size_t count = 1;
    for (const std::size_t axis : of) count *= asked_.axes[axis].values.size();
    return count;
  }

  /// Which value each of these axes has in their combination `number`, the last changing fastest.
  std::vector<std::size_t> values_in(const std::vector<std::size_t>& of, std::size_t number) const {
    std::vector<std::size_t> values(of.size());
    for (std::size_t i = of.size(); i-- > 0;) {
      const std::size_t count = asked_.axes[of[i]].values.size();
      values[i] = number % count;
      number /= count;
    }
    return values;
  }

  /// Points are compared, so that all have one objective.
  void check_objective() const {
    std::vector<Problem> problems;
    for (const SweepAxis& axis : asked_.axes) {
      if (!axis.name.starts_with("objective.") || axis.values.size() == 1) continue;
      problems.push_back(
          {"--set " + axis.name, "expected one value, as one objective compares all points, got " +
                                     std::to_string(axis.values.size())});
    }
    support::throw_if_any(problems);
  }

  /// All options of the first point at once: names that do not exist or stand twice, and what
  /// scenario it is.
  void read_first() {
    const std::vector<std::string> sets = sets_of(asked_.axes, 0);
    const auto scenario = datasets::read_simulated(asked_.scenario, sets, asked_.seal);
    sweep_.scenario = scenario.name;
    sweep_.scenario_sha256 = scenario.sha256;
    sweep_.salt_sha256 = scenarios::Instance(scenario, asked_.instance).salt_sha256();
    sweep_.objective = scenario.objective;
  }

  void read_settings() {
    std::vector<Problem> problems;
    for (const std::size_t axis : setting_axes_) {
      const SweepAxis& of = asked_.axes[axis];
      const scenarios::Setting& setting = *scenarios::find_setting(of.name);
      std::vector<Assignment> values;
      for (std::size_t i = 0; i < of.values.size(); ++i) {
        const auto read = scenarios::read_setting(setting, set_of(of, i), problems);
        if (read && std::ranges::find(values, *read) != values.end()) {
          problems.push_back({"--set " + of.name, "expected each value once, got " +
                                                      support::in_quotes(of.values[i]) + " twice"});
        }
        values.push_back(read.value_or(Assignment{}));
      }
      assignments_.push_back(std::move(values));
    }
    support::throw_if_any(problems);
  }

  ReadProblem read(std::size_t number) const {
    const std::vector<std::size_t> values = values_in(problem_axes_, number);
    std::vector<std::string> sets;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sets.push_back(set_of(asked_.axes[problem_axes_[i]], values[i]));
    }
    ReadProblem read;
    support::gathered(read.problems, [&] {
      scenarios::Scenario scenario = datasets::read_simulated(asked_.scenario, sets, asked_.seal);
      scenario.engine = scenarios::Engine::analytical;
      if (asked_.play) read.event = asked_.play(scenario);
      read.truth = std::make_unique<scenarios::Instance>(scenario, asked_.instance);
    });
    return read;
  }

  /// Has at most one of its axes another value than the first? Then what is wrong is that value.
  bool is_beside_first(std::size_t number) const {
    const std::vector<std::size_t> values = values_in(problem_axes_, number);
    return std::ranges::count_if(values, [](std::size_t value) { return value > 0; }) <= 1;
  }

  void simulate_from(std::size_t first, std::size_t count) {
    std::vector<ReadProblem> problems(count);
    support::parallel_for(count, asked_.threads,
                          [&](std::size_t i) { problems[i] = read(first + i); });
    std::vector<Problem> refused;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_beside_first(first + i)) continue;
      for (const Problem& problem : problems[i].problems) {
        if (std::ranges::find(refused, problem) == refused.end()) {
          support::add_problem(refused, problem);
        }
      }
    }
    support::throw_if_any(refused);
    const std::size_t blocks = (settings_ + block_points - 1) / block_points;
    support::parallel_for(count * blocks, asked_.threads, [&](std::size_t i) {
      const std::size_t begin = i % blocks * block_points;
      const std::size_t end = std::min(begin + block_points, settings_);
      simulate_block(problems[i / blocks], first + i / blocks, begin, end);
      if (asked_.progress) asked_.progress(end - begin);
    });
  }

  void simulate_block(const ReadProblem& problem, std::size_t number, std::size_t begin,
                      std::size_t end) {
    if (!problem.truth) {
      for (std::size_t i = begin; i < end; ++i) slot(number, i) = unreadable(problem);
      return;
    }
    StepSimulator simulator(*problem.truth);
    for (std::size_t i = begin; i < end; ++i) {
      const sim::Plan plan = scenarios::changed_baseline(problem.truth->scenario(), settings_in(i));
      slot(number, i) =
          point_of(simulator.simulate(plan, problem.event ? &*problem.event : nullptr));
    }
  }

  std::vector<Assignment> settings_in(std::size_t number) const {
    const std::vector<std::size_t> values = values_in(setting_axes_, number);
    std::vector<Assignment> settings;
    for (std::size_t i = 0; i < values.size(); ++i) settings.push_back(assignments_[i][values[i]]);
    return settings;
  }

  SweepPoint& slot(std::size_t problem, std::size_t setting) {
    const std::vector<std::size_t> of_problem = values_in(problem_axes_, problem);
    const std::vector<std::size_t> of_settings = values_in(setting_axes_, setting);
    std::vector<std::size_t> values(asked_.axes.size());
    for (std::size_t i = 0; i < of_problem.size(); ++i) values[problem_axes_[i]] = of_problem[i];
    for (std::size_t i = 0; i < of_settings.size(); ++i) values[setting_axes_[i]] = of_settings[i];
    std::size_t number = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      number = number * asked_.axes[i].values.size() + values[i];
    }
    return sweep_.points[number];
  }

  Sweep& sweep_;
  const AskedSweep& asked_;
  std::vector<std::size_t> problem_axes_;
  std::vector<std::size_t> setting_axes_;
  std::size_t problems_ = 1;                          ///< combinations of the problem's axes
  std::size_t settings_ = 1;                          ///< of the others
  std::vector<std::vector<Assignment>> assignments_;  ///< values of `setting_axes_`
};

}  // namespace

std::optional<std::uint64_t> point_count(const std::vector<SweepAxis>& axes) {
  std::uint64_t count = 1;
  for (const SweepAxis& axis : axes) {
    if (__builtin_mul_overflow(count, axis.values.size(), &count)) return std::nullopt;
  }
  return count;
}

std::vector<std::size_t> places_of(const std::vector<SweepAxis>& axes, std::size_t number) {
  std::vector<std::size_t> places(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    places[i] = number % axes[i].values.size();
    number /= axes[i].values.size();
  }
  return places;
}

std::vector<std::string> sets_of(const std::vector<SweepAxis>& axes, std::size_t number) {
  const std::vector<std::size_t> places = places_of(axes, number);
  std::vector<std::string> sets;
  for (std::size_t i = 0; i < axes.size(); ++i) sets.push_back(set_of(axes[i], places[i]));
  return sets;
}

std::optional<std::size_t> best_point(const Sweep& sweep) {
  const bool more = sweep.objective.direction == scenarios::Direction::maximize;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const std::optional<double>& value = sweep.points[i].objective;
    if (!value) continue;
    const double known = best ? *sweep.points[*best].objective : *value;
    if (!best || (more ? *value > known : *value < known)) best = i;
  }
  return best;
}

Sweep swept(const AskedSweep& asked) {
  SIM_ASSERT(!asked.axes.empty(), asked.scenario);
  Sweep sweep{.asked = asked};
  Sweeper(sweep).run();
  return sweep;
}

}  // namespace cubicbench::results
