#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "datasets/jobs/split.h"
#include "predictor/learners/model.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {

/// Which predictors are judged, and how.
struct Protocol {
  std::vector<const PredictorEntry*> predictors;
  datasets::SplitKind split = datasets::SplitKind::random;
  std::vector<std::int64_t> train;  ///< sizes of the training part
  std::int64_t repeats = 10;
  std::uint64_t seed = 0;
};

/// A test job of the first repeat, for scatter plots.
struct PredictedJob {
  std::size_t job = 0;     ///< position in the dataset
  double predicted = 0.0;  ///< as Model has it
};

inline constexpr std::int64_t top_ks[] = {1, 5, 10};

/// One predictor with one size of the training part.
struct Judgement {
  std::string predictor;
  bool asks_simulator = false;  ///< as its entry says; on measured data that is no privilege
  bool privileged = false;
  bool calibrated = true;
  std::int64_t train = 0;  ///< training jobs; the mean over repeats, rounded
  std::int64_t test = 0;   ///< test jobs, likewise
  std::int64_t asked = 0;  ///< training jobs that were asked for
  /// Of those asked for, how many there are to be learnt from; the mean over repeats, rounded.
  std::int64_t learnable = 0;
  std::int64_t repeats = 0;
  support::MeanAndSd kendall;  ///< over the whole test part, of prediction and measured value
  support::MeanAndSd spearman;
  support::MeanAndSd pearson_log;          ///< of prediction and the value's logarithm
  std::optional<support::MeanAndSd> mape;  ///< nothing when it predicts order alone
  support::MeanAndSd top_k_recall[3];      ///< of top_ks
  support::MeanAndSd regret_at[3];
  support::MeanAndSd within_gpu_count_kendall;  ///< mean over GPU counts with five jobs or more
  /// Correlations for the whole job's rate, value x GPUs: what the paper plots. Of targets that are
  /// per GPU only. Scores of order alone become logarithms by the slope of the training jobs'
  /// logarithms over theirs.
  std::optional<support::MeanAndSd> kendall_of_total;
  std::optional<support::MeanAndSd> spearman_of_total;
  /// Of the rates themselves, not their logarithms.
  std::optional<support::MeanAndSd> pearson_of_total;
  /// What is looked for is running out of memory.
  struct Feasibility {
    support::MeanAndSd auroc, auprc, brier;
  };
  std::optional<Feasibility> feasibility;  ///< nothing where no job ran out of memory
  std::vector<double> kendall_of_repeat;
  std::vector<PredictedJob> first_repeat;
};

struct JudgedDataset {
  std::string dataset;
  datasets::SplitKind split = datasets::SplitKind::random;
  std::int64_t rows = 0;                ///< timed jobs
  std::vector<Judgement> judgements{};  ///< by predictor, then size, in the order asked for
  /// Kendall's tau of the measured and the noise-free values of the test part, mean over all
  /// splits: what a predictor that knew the truth would reach. Of simulated data only.
  std::optional<double> noise_ceiling_kendall;
  /// Timed jobs that the simulator has no answer for, and why, of the first of them; 0 when no
  /// predictor asks it.
  std::int64_t jobs_without_physics = 0;
  std::string no_physics_reason{};
};

/// Fits and judges every predictor on every size and repeat. All of them see the same splits. The
/// feasibility heads are trained on as many jobs, drawn by the same rule from those that say
/// whether they fit. Runs on up to `threads` threads, which change no bit. `done` is called after
/// each fit of a predictor, from any thread; when it throws, nothing more is fitted and what it
/// threw is thrown on. Throws InputError where no split is possible.
JudgedDataset judge(
    const datasets::Dataset& data, const Protocol& protocol, int threads,
    const std::function<void()>& done = [] {});

}  // namespace cubicbench::predictor
