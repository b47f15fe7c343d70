#include "datasets/jobs/sampled_dataset.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/jobs/physics.h"
#include "datasets/jobs/space_columns.h"
#include "scenarios/truth/instance.h"
#include "sim/plan/plan_cluster.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Instance;
using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrialOutcome;
using scenarios::TrueValue;

/// Launches of one row, until one ends for a reason of the configuration's own.
constexpr std::int64_t attempts_max = 16;

struct DrawnConfiguration {
  std::uint64_t number = 0;
  std::int64_t repeat = 0;  ///< rows before that have the same
};

/// A table's configuration is drawn once whatever the rows: its run is no news the second time.
std::vector<DrawnConfiguration> draw(const Scenario& scenario, std::int64_t rows,
                                     std::uint64_t seed) {
  const scenarios::SearchSpace& space = scenario.space;
  const bool many = space.count() > static_cast<std::uint64_t>(rows);
  const bool once = many || scenario.measured;
  if (!many && once) rows = static_cast<std::int64_t>(space.count());
  std::map<std::uint64_t, std::int64_t> repeats;
  std::vector<DrawnConfiguration> drawn;
  Configuration configuration(space.size());
  for (std::uint64_t number_of_draw = 0; std::ssize(drawn) < rows; ++number_of_draw) {
    space.sample(seed, number_of_draw, configuration);
    const std::uint64_t number = space.number_of(configuration);
    const std::int64_t repeat = repeats[number]++;
    if (!once || repeat == 0) drawn.push_back({.number = number, .repeat = repeat});
  }
  return drawn;
}

/// What one row came to; nothing where the configuration cannot be laid out.
struct Row {
  std::optional<Job> job;
  std::vector<double> cells;
  std::vector<double> physics;
};

Job job_of(const TrialOutcome& outcome) {
  const bool memory = outcome.reason == Reason::oom_init || outcome.reason == Reason::oom_late;
  Job job;
  job.status = memory ? JobStatus::out_of_memory : JobStatus::untimed;
  if (outcome.reason == Reason::none) job.status = JobStatus::ok;
  job.value = outcome.value;
  return job;
}

/// Launches rows on an instance.
class Sampler {
 public:
  Sampler(const Scenario& scenario, std::uint64_t number)
      : scenario_(scenario), columns_(scenario.space), physics_columns_(physics_columns()) {
    if (!scenario.measured) instance_.emplace(scenario, number);
  }

  Row row(const DrawnConfiguration& drawn, sim::Workspace& workspace) const {
    Configuration configuration(scenario_.space.size());
    scenario_.space.configuration_at(drawn.number, configuration);
    Row row{.job = scenario_.measured ? measured(drawn) : launched(drawn, configuration, workspace),
            .cells = std::vector<double>(columns_.columns().size()),
            .physics = std::vector<double>(physics_columns_.size(),
                                           std::numeric_limits<double>::quiet_NaN())};
    if (!row.job) return row;
    sim::Plan plan;
    scenario_.space.apply(configuration, plan);
    name(*row.job, drawn);
    row.job->gpus = sim::gpus_of(plan, scenario_.cluster);
    columns_.write(configuration, row.cells);
    if (!scenario_.measured) write_physics(scenario_, plan, workspace, row.physics);
    return row;
  }

  Dataset empty() const {
    return {.name = scenario_.name,
            .target = std::string(name_of(scenario_.objective)),
            .direction = scenario_.objective.direction,
            .simulated = !scenario_.measured,
            .jobs = {},
            .columns = columns_.columns(),
            .cells = {},
            .physics_columns = physics_columns_,
            .physics = {},
            .no_physics_reason =
                scenario_.measured ? "a scenario that is a table of runs has no simulator" : ""};
  }

 private:
  Job measured(const DrawnConfiguration& drawn) const {
    return job_of(scenario_.measured->of_configuration[drawn.number].front());
  }

  std::optional<Job> launched(const DrawnConfiguration& drawn, const Configuration& configuration,
                              sim::Workspace& workspace) const {
    const TrueValue truth = instance_->true_value(configuration, workspace);
    if (truth.reason == Reason::invalid) return std::nullopt;
    Job job;
    for (std::int64_t attempt = 0; attempt < attempts_max; ++attempt) {
      const TrialOutcome outcome =
          instance_->launch(configuration, drawn.repeat * attempts_max + attempt, workspace);
      job = job_of(outcome);
      const bool transient = outcome.reason == Reason::infra ||
                             (outcome.reason == Reason::timeout && truth.reason == Reason::none);
      if (!transient) break;
    }
    // Near the limit of memory what fits may fail, and what does not may run.
    if (job.value && truth.reason == Reason::none) job.noise_free = truth.value;
    return job;
  }

  void name(Job& job, const DrawnConfiguration& drawn) const {
    job.id = scenario_.name + "#" + std::to_string(drawn.number);
    if (drawn.repeat > 0) job.id += "." + std::to_string(drawn.repeat);
    job.workload = scenario_.name;
    job.cluster = scenario_.device;
    job.configuration = drawn.number;
  }

  const Scenario& scenario_;
  SpaceColumns columns_;
  std::vector<Column> physics_columns_;
  std::optional<Instance> instance_;  ///< none of a table of runs
};

void append(Dataset& data, Row row) {
  if (!row.job) return;
  data.jobs.push_back(std::move(*row.job));
  data.cells.insert(data.cells.end(), row.cells.begin(), row.cells.end());
  data.physics.insert(data.physics.end(), row.physics.begin(), row.physics.end());
}

}  // namespace

Dataset sampled_dataset(const Scenario& scenario, std::uint64_t instance, std::int64_t rows,
                        std::uint64_t seed, int threads) {
  constexpr std::size_t block = 64;  // rows that share a workspace
  const std::vector<DrawnConfiguration> drawn = draw(scenario, rows, seed);
  const Sampler sampler(scenario, instance);
  std::vector<Row> sampled(drawn.size());
  support::parallel_for((drawn.size() + block - 1) / block, threads, [&](std::size_t b) {
    sim::Workspace workspace;
    const std::size_t end = std::min(drawn.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) sampled[i] = sampler.row(drawn[i], workspace);
  });
  Dataset data = sampler.empty();
  for (Row& row : sampled) append(data, std::move(row));
  return data;
}

}  // namespace cubicbench::datasets
