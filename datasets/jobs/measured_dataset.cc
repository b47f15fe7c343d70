#include "datasets/jobs/measured_dataset.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "datasets/jobs/launch_features.h"
#include "datasets/jobs/physics.h"
#include "datasets/mapping/measured_run.h"
#include "support/characters.h"
#include "support/input_error.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

/// The rows that are jobs.
std::vector<const Measurement*> job_rows(const Measurements& measurements) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : measurements.rows) {
    if (job_status_of(row)) rows.push_back(&row);
  }
  if (rows.empty()) {
    throw support::InputError(measurements.file,
                              "expected runs with n_gpus, status ok or oom and quality ok or "
                              "early_pp, got none");
  }
  return rows;
}

/// YYYY-MM-DD, YYYY-MM or YYYY.
bool is_date(std::string_view text) {
  if (text.size() != 10 && text.size() != 7 && text.size() != 4) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7 ? text[i] != '-' : !support::is_digit(text[i])) return false;
  }
  return true;
}

/// Dates that are written alike are in the order of their text.
bool are_ordered(const std::vector<const Measurement*>& rows) {
  return std::ranges::all_of(rows, [&](const Measurement* row) {
    return is_date(row->date) && row->date.size() == rows.front()->date.size();
  });
}

void write_when(const std::vector<const Measurement*>& rows, std::vector<Job>& jobs) {
  if (!are_ordered(rows)) return;
  std::map<std::string_view, std::int64_t> order;
  for (const Measurement* row : rows) order.emplace(row->date, 0);
  std::int64_t next = 0;
  for (auto& [date, number] : order) number = next++;
  for (std::size_t i = 0; i < rows.size(); ++i) jobs[i].when = order.at(rows[i]->date);
}

/// "h100-sxm-80gb, 8 a node, efa".
std::string cluster_of(const Measurement& row) {
  std::string cluster = row.device;
  if (row.gpus_per_node) cluster += ", " + std::to_string(*row.gpus_per_node) + " a node";
  if (!row.fabric.empty()) cluster += ", " + row.fabric;
  return cluster;
}

Job job_of(const Measurement& row) {
  Job job;
  job.id = row.id;
  job.workload = row.model;
  job.cluster = cluster_of(row);
  job.searcher = row.searcher;
  job.gpus = *row.n_gpus;
  job.status = *job_status_of(row);
  if (job.status == JobStatus::ok) {
    job.value = tokens_per_s_per_gpu(row);
    job.noise_free = row.noise_free_tokens_per_s_per_gpu;
  }
  return job;
}

/// Numbers that two rows share when nothing that is known at launch tells them apart.
class Configurations {
 public:
  std::uint64_t number_of(const Measurement& row, const Job& job) {
    std::vector<double> cells(columns_);
    write_launch_cells(row, FeatureSet::launch, cells);
    Known known{.workload = job.workload, .cluster = job.cluster, .cells = {}};
    for (const double cell : cells) {
      // One bit pattern for all that is unknown, and one for zero.
      const double plain = std::isnan(cell) ? std::numeric_limits<double>::quiet_NaN() : cell + 0.0;
      known.cells.push_back(std::bit_cast<std::uint64_t>(plain));
    }
    return numbers_.emplace(std::move(known), numbers_.size()).first->second;
  }

 private:
  struct Known {
    std::string workload;
    std::string cluster;
    std::vector<std::uint64_t> cells;
    auto operator<=>(const Known&) const = default;
  };
  std::size_t columns_ = launch_columns(FeatureSet::launch).size();
  std::map<Known, std::uint64_t> numbers_;
};

/// Fills the physics of all jobs: rows of NaN where the simulator cannot play the run.
void write_physics_of(const std::vector<const Measurement*>& rows, int threads, Dataset& data) {
  constexpr std::size_t block = 64;  // rows that share a workspace
  const std::size_t columns = data.physics_columns.size();
  data.physics.assign(rows.size() * columns, std::numeric_limits<double>::quiet_NaN());
  std::vector<std::string> reasons(rows.size());
  support::parallel_for((rows.size() + block - 1) / block, threads, [&](std::size_t b) {
    sim::Workspace workspace;
    const std::size_t end = std::min(rows.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) {
      const MappedRun mapped = map_run(*rows[i]);
      reasons[i] = mapped.reason;
      if (!mapped.run) continue;
      const scenarios::Scenario& scenario = mapped.run->scenario;
      const auto physics = std::span(data.physics).subspan(i * columns, columns);
      write_physics(scenario, scenario.baseline, workspace, physics);
      if (std::isnan(physics.front())) reasons[i] = "its plan cannot be laid out";
    }
  });
  for (const std::size_t job : timed_jobs(data)) {
    if (data.no_physics_reason.empty()) data.no_physics_reason = reasons[job];
  }
}

/// A run that ended well either says how fast it was or how much memory it took; one that says
/// neither was probably meant to have another status, and would teach that its layout fits.
bool says_nothing(const Measurement& row) {
  return row.status == MeasurementStatus::ok && row.quality == MeasurementQuality::ok &&
         !tokens_per_s_per_gpu(row) && !row.peak_mem_gib && !row.peak_alloc_gib;
}

/// What the row would be as a job if it said on how many GPUs.
std::optional<JobStatus> status_on_any_gpus(const Measurement& row) {
  const bool good = row.quality == MeasurementQuality::ok;
  if (!good && row.quality != MeasurementQuality::early_pp) return std::nullopt;
  if (row.status == MeasurementStatus::oom) return JobStatus::out_of_memory;
  if (row.status != MeasurementStatus::ok || says_nothing(row)) return std::nullopt;
  return good && tokens_per_s_per_gpu(row) ? JobStatus::ok : JobStatus::untimed;
}

/// Says how many rows `is_left` holds for, and where the first is.
void add_note(const Measurements& measurements, bool (*is_left)(const Measurement&),
              const char* one, const char* many, std::vector<std::string>& notes) {
  const auto first = std::ranges::find_if(measurements.rows, is_left);
  if (first == measurements.rows.end()) return;
  const auto count = std::ranges::count_if(first, measurements.rows.end(), is_left);
  const std::string line = std::to_string(first->line);
  notes.push_back(count == 1 ? std::string("a row ") + one + ", line " + line + "; it is left out"
                             : std::to_string(count) + " rows " + many + ", the first in line " +
                                   line + "; they are left out");
}

}  // namespace

std::optional<JobStatus> job_status_of(const Measurement& row) {
  return row.n_gpus ? status_on_any_gpus(row) : std::nullopt;
}

std::vector<std::string> notes_on_jobs(const Measurements& measurements) {
  std::vector<std::string> notes;
  add_note(
      measurements, [](const Measurement& row) { return !row.n_gpus && status_on_any_gpus(row); },
      "would be a job and has no n_gpus", "would be jobs and have no n_gpus", notes);
  add_note(measurements, says_nothing, "ended well and says neither speed nor memory",
           "ended well and say neither speed nor memory", notes);
  return notes;
}

bool is_simulated(const Measurement& row) {
  return row.source.starts_with("cubicbench ") || row.framework == "simulated" ||
         row.noise_free_tokens_per_s_per_gpu;
}

Dataset measured_dataset(const Measurements& measurements, FeatureSet features, int threads) {
  const std::vector<const Measurement*> rows = job_rows(measurements);
  Dataset data;
  data.name = measurements.name;
  data.left_out = static_cast<std::int64_t>(measurements.rows.size() - rows.size());
  data.file = measurements.file;
  data.notes = notes_on_jobs(measurements);
  data.columns = launch_columns(features);
  data.physics_columns = physics_columns();
  data.cells.resize(rows.size() * data.columns.size());
  Configurations configurations;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Job job = job_of(*rows[i]);
    job.configuration = configurations.number_of(*rows[i], job);
    data.jobs.push_back(std::move(job));
    data.simulated = data.simulated || is_simulated(*rows[i]);
    write_launch_cells(*rows[i], features,
                       std::span(data.cells).subspan(i * data.columns.size(), data.columns.size()));
  }
  write_when(rows, data.jobs);
  write_physics_of(rows, threads, data);
  return data;
}

}  // namespace cubicbench::datasets
