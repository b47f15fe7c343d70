#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/jobs/dataset.h"

namespace cubicbench::predictor {

/// [rows x columns], row after row.
struct FeatureMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> cells{};

  std::span<const double> row(std::size_t r) const {
    return std::span(cells).subspan(r * columns, columns);
  }
};

enum class EncodingForm {
  standardised,  ///< for learners that add features up or measure distances
  raw,           ///< for trees, which see only the order of a column's values: NaN stays NaN
};

/// Turns the columns of a dataset into numbers, by what the training jobs have in them:
///
/// number    standardised by mean and population standard deviation of the training jobs, the mean
///           where nothing is known, and limited to 3 standard deviations beyond the range seen; if
///           some training jobs lack it and others do not, a second feature is 1 where it is
///           missing (both standardised). Raw: as it is, limited to the range seen.
/// category  one feature a level that some training jobs have and others do not, 1 or 0; of two
///           such levels, if every training job has one of them, only the second. Standardised like
///           numbers. A level that no training job has is none of them.
///
/// What does not vary among the training jobs is left out. A value: threads may share it.
class Encoding {
 public:
  /// Without the columns `left_out`.
  Encoding(const datasets::Dataset& data, std::span<const std::size_t> jobs, EncodingForm form,
           std::span<const std::size_t> left_out = {});

  std::size_t columns() const { return features_.size(); }

  /// One row a job of `data`, which has the columns of the training data.
  FeatureMatrix encode(const datasets::Dataset& data, std::span<const std::size_t> jobs) const;

 private:
  enum class Kind { number, missing, level };

  /// A column of the matrix.
  struct Feature {
    std::size_t column = 0;  ///< of the dataset
    Kind kind = Kind::number;
    double level = 0.0;
    double mean = 0.0, scale = 1.0;  ///< what is taken off, what it is divided by then
    double low = 0.0, high = 0.0;    ///< of the result
    bool fills = false;              ///< unknown numbers become the mean

    double value_in(std::span<const double> row) const;
  };

  void add_number(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                  std::size_t column, EncodingForm form);
  void add_levels(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                  std::size_t column, EncodingForm form);
  void add(Feature feature, const datasets::Dataset& data, std::span<const std::size_t> jobs,
           EncodingForm form);

  std::vector<Feature> features_;
};

/// Natural logarithms of the jobs' values, each of which must be there.
std::vector<double> log_values(const datasets::Dataset& data, std::span<const std::size_t> jobs);

/// What the simulator said of some jobs, one entry a job.
struct SimulatedJobs {
  std::vector<double> log_value;   ///< of the target; NaN where the simulator has no answer
  std::vector<double> slow_shift;  ///< what the slow state adds to it; 0 where nobody says
  std::vector<double> log_memory;  ///< of the share of the device's memory; NaN likewise
};

SimulatedJobs simulated_jobs(const datasets::Dataset& data, std::span<const std::size_t> jobs);

/// How many of the jobs the simulator has no answer for.
std::int64_t without_answer(const datasets::Dataset& data, std::span<const std::size_t> jobs);

/// Physics columns as features for trees, in the dataset's order: all of them, or those of `names`
/// that the dataset has.
FeatureMatrix physics_features(const datasets::Dataset& data, std::span<const std::size_t> jobs);
FeatureMatrix physics_features(const datasets::Dataset& data, std::span<const std::size_t> jobs,
                               std::span<const std::string_view> names);

/// The columns of `left`, then those of `right`. Requires equally many rows.
FeatureMatrix side_by_side(const FeatureMatrix& left, const FeatureMatrix& right);

}  // namespace cubicbench::predictor
