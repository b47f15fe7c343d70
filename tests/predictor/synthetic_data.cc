#include "tests/predictor/synthetic_data.h"

#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/numeric.h"
#include "sim/base/philox.h"

namespace cubicbench::predictor {
namespace {

using datasets::ColumnKind;
using datasets::Dataset;
using datasets::Job;
using datasets::JobStatus;

double number(std::uint64_t seed, std::size_t row, std::uint32_t draw) {
  return sim::uniform({.seed = seed, .entity = row, .draw = draw});
}

}  // namespace

Dataset synthetic_data(std::int64_t rows, std::uint64_t seed) {
  Dataset data;
  data.name = "synthetic";
  data.simulated = true;
  data.columns = {{.name = "log2_gpus"},
                  {.name = "batch"},
                  {.name = "sometimes"},
                  {.name = "sharding", .kind = ColumnKind::category, .levels = {"a", "b", "c"}},
                  {.name = "noise"}};
  data.physics_columns = {{.name = datasets::simulated_column}, {.name = datasets::memory_column}};
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const double log2_gpus = std::floor(3.0 + 7.0 * number(seed, row, 0));
    const double batch = 4.0 * number(seed, row, 1);
    const double sometimes = number(seed, row, 2);
    const double level = std::floor(3.0 * number(seed, row, 3));
    const double log_value =
        8.0 - 0.2 * log2_gpus + 0.5 * batch - 0.05 * batch * batch + 0.3 * sometimes + 0.2 * level;
    const double noise = 0.01 * sim::standard_normal({.seed = seed, .entity = row, .draw = 4});
    data.jobs.push_back({.id = std::to_string(row),
                         .workload = level == 0.0 ? "small" : "large",
                         .cluster = "one",
                         .gpus = std::int64_t{1} << static_cast<int>(log2_gpus),
                         .when = static_cast<std::int64_t>(row),
                         .configuration = row,
                         .value = sim::exp(log_value + noise),
                         .noise_free = sim::exp(log_value)});
    const bool unknown = number(seed, row, 5) < 0.2;
    data.cells.insert(
        data.cells.end(),
        {log2_gpus, batch, unknown ? std::numeric_limits<double>::quiet_NaN() : sometimes, level,
         number(seed, row, 6)});
    data.physics.insert(data.physics.end(),
                        {log_value + 0.1 * number(seed, row, 7), 0.3 + 0.25 * batch});
  }
  return data;
}

void fail_large_jobs(Dataset& data) {
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    if (data.row(job)[1] < 2.7) continue;
    data.jobs[job].status = JobStatus::out_of_memory;
    data.jobs[job].value.reset();
    data.jobs[job].noise_free.reset();
  }
}

void shuffle_outcomes(Dataset& data, std::uint64_t seed) {
  for (std::size_t i = data.jobs.size(); i > 1; --i) {
    const std::size_t j = sim::uniform_below({.seed = seed, .entity = i, .draw = 99}, i);
    Job& a = data.jobs[i - 1];
    Job& b = data.jobs[j];
    std::swap(a.status, b.status);
    std::swap(a.value, b.value);
    std::swap(a.noise_free, b.noise_free);
  }
}

}  // namespace cubicbench::predictor
