#include "predictor/judging/protocol.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "predictor/encoding/encoding.h"
#include "predictor/judging/repeat_scores.h"
#include "predictor/learners/feasibility.h"
#include "predictor/learners/registry.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/interruption.h"
#include "support/parallel.h"
#include "support/statistics/correlation.h"

namespace cubicbench::predictor {
namespace {

using datasets::Dataset;
using datasets::Split;

Learn* feasibility_fit_of(const PredictorEntry& entry) {
  return entry.fit_feasibility != nullptr ? entry.fit_feasibility : fit_feasibility;
}

/// What one predictor came to on one split.
struct Fitted {
  RepeatScores scores;
  std::vector<double> predicted;  ///< of the first repeat only
};

/// Splits, fits and figures, each in a slot of its own: [size x repeat], [predictor x size x
/// repeat] and [head x size x repeat].
class Judge {
 public:
  Judge(const Dataset& data, const Protocol& protocol)
      : data_(data), protocol_(protocol), timed_(datasets::timed_jobs(data)) {
    const std::vector<std::size_t> fitting = datasets::fitting_jobs(data);
    const bool memory_is_short =
        std::ranges::any_of(fitting, [&](std::size_t job) { return !fits(data.jobs[job]); });
    for (const std::int64_t size : protocol.train) {
      for (std::int64_t repeat = 0; repeat < protocol.repeats; ++repeat) {
        support::end_if_interrupted();
        splits_.push_back(split_of(timed_, size, repeat));
        if (memory_is_short) fitting_splits_.push_back(split_of(fitting, size, repeat));
      }
    }
    if (memory_is_short) find_heads();
    fitted_.resize(protocol.predictors.size() * splits_.size());
    feasibility_.resize(heads_.size() * splits_.size());
  }

  void run(int threads, const std::function<void()>& done) {
    std::atomic<bool> stopped = false;
    support::parallel_for(fitted_.size() + feasibility_.size(), threads, [&](std::size_t task) {
      if (stopped) return;
      if (task >= fitted_.size()) {
        fit_head(task - fitted_.size());
        return;
      }
      fit_predictor(task);
      try {
        done();
      } catch (...) {
        stopped = true;
        throw;
      }
    });
  }

  JudgedDataset judged() const {
    JudgedDataset judged{.dataset = data_.name,
                         .split = protocol_.split,
                         .rows = static_cast<std::int64_t>(timed_.size()),
                         .noise_ceiling_kendall = noise_ceiling()};
    if (std::ranges::any_of(protocol_.predictors, &PredictorEntry::asks_simulator)) {
      judged.jobs_without_physics = without_answer(data_, timed_);
      if (judged.jobs_without_physics > 0) judged.no_physics_reason = data_.no_physics_reason;
    }
    for (std::size_t predictor = 0; predictor < protocol_.predictors.size(); ++predictor) {
      for (std::size_t size = 0; size < protocol_.train.size(); ++size) {
        judged.judgements.push_back(judgement(predictor, size));
      }
    }
    return judged;
  }

 private:
  std::size_t repeats() const { return static_cast<std::size_t>(protocol_.repeats); }

  // Repeats are counted on from the seed, so that seed 0 leaves out the first workload first.
  Split split_of(std::span<const std::size_t> jobs, std::int64_t size, std::int64_t repeat) const {
    const std::uint64_t number = (protocol_.seed << 32) + static_cast<std::uint64_t>(repeat);
    return datasets::split_of(data_, jobs, protocol_.split, size, number, data_.where());
  }

  // By the size itself, so that an answer does not depend on what other sizes are asked for.
  std::uint64_t seed_of(std::size_t split) const {
    return sim::random_words(
               {.seed = protocol_.seed,
                .purpose = sim::Purpose::learner,
                .entity = split % repeats(),
                .draw = static_cast<std::uint32_t>(protocol_.train[split / repeats()])})
        .first;
  }

  void find_heads() {
    for (const PredictorEntry* entry : protocol_.predictors) {
      Learn* const fit = feasibility_fit_of(*entry);
      if (std::ranges::find(heads_, fit) == heads_.end()) heads_.push_back(fit);
    }
  }

  void fit_predictor(std::size_t task) {
    const PredictorEntry& entry = *protocol_.predictors[task / splits_.size()];
    const std::size_t number = task % splits_.size();
    const Split& split = splits_[number];
    const std::unique_ptr<const Model> model = entry.fit(data_, split.train, seed_of(number));
    Predicted predicted{.of_test = model->predict(data_, split.test),
                        .calibrated = entry.calibrated};
    if (!entry.calibrated) predicted.of_train = model->predict(data_, split.train);
    fitted_[task].scores = score_repeat(data_, split, predicted);
    if (number % repeats() == 0) fitted_[task].predicted = std::move(predicted.of_test);
  }

  void fit_head(std::size_t task) {
    const std::size_t number = task % splits_.size();
    const Split& split = fitting_splits_[number];
    const std::unique_ptr<const Model> model =
        heads_[task / splits_.size()](data_, split.train, seed_of(number));
    feasibility_[task] = score_feasibility(data_, split.test, model->predict(data_, split.test));
  }

  std::optional<double> noise_ceiling() const {
    if (!data_.simulated) return std::nullopt;
    std::vector<double> taus;
    for (const Split& split : splits_) {
      std::vector<double> measured;
      std::vector<double> noise_free;
      for (const std::size_t job : split.test) {
        if (!data_.jobs[job].noise_free) continue;
        measured.push_back(*data_.jobs[job].value);
        noise_free.push_back(*data_.jobs[job].noise_free);
      }
      if (measured.size() >= 2) taus.push_back(support::kendall_tau_b(noise_free, measured));
    }
    return taus.empty() ? std::nullopt : std::optional(support::mean_and_sd(taus).mean);
  }

  /// Position of a predictor's, or head's, first repeat of a size.
  std::size_t first_of(std::size_t row, std::size_t size) const {
    return row * splits_.size() + size * repeats();
  }

  /// Over the repeats from `first` on; of those that have the figure, nothing where none has.
  template <typename Figure>
  std::optional<support::MeanAndSd> over_repeats(std::size_t first, Figure figure) const {
    std::vector<double> values;
    for (std::size_t repeat = 0; repeat < repeats(); ++repeat) {
      const std::optional<double> value = figure(first + repeat);
      if (value) values.push_back(*value);
    }
    if (values.empty()) return std::nullopt;
    return support::mean_and_sd(values);
  }

  /// Of the splits of a size; rounded.
  template <typename Count>
  std::int64_t mean_of_splits(std::size_t size, Count count) const {
    std::vector<double> counts;
    for (std::size_t repeat = 0; repeat < repeats(); ++repeat) {
      counts.push_back(static_cast<double>(count(splits_[size * repeats() + repeat])));
    }
    return std::llround(support::mean_and_sd(counts).mean);
  }

  Judgement judgement(std::size_t predictor, std::size_t size) const {
    const PredictorEntry& entry = *protocol_.predictors[predictor];
    const std::size_t first = first_of(predictor, size);
    Judgement judgement;
    judgement.predictor = entry.name;
    judgement.asks_simulator = entry.asks_simulator;
    judgement.privileged = is_privileged(entry, data_);
    judgement.calibrated = entry.calibrated;
    judgement.train = mean_of_splits(size, [](const Split& of) { return of.train.size(); });
    judgement.test = mean_of_splits(size, [](const Split& of) { return of.test.size(); });
    judgement.asked = protocol_.train[size];
    const auto asked = static_cast<double>(judgement.asked);
    judgement.learnable = mean_of_splits(
        size, [&](const Split& of) { return std::min(asked, static_cast<double>(of.learnable)); });
    judgement.repeats = protocol_.repeats;
    add_figures(first, judgement);
    judgement.feasibility = feasibility(entry, size);
    for (std::size_t repeat = 0; repeat < repeats(); ++repeat) {
      judgement.kendall_of_repeat.push_back(fitted_[first + repeat].scores.kendall);
    }
    const std::vector<std::size_t>& test = splits_[size * repeats()].test;
    for (std::size_t i = 0; i < test.size(); ++i) {
      judgement.first_repeat.push_back({.job = test[i], .predicted = fitted_[first].predicted[i]});
    }
    return judgement;
  }

  void add_figures(std::size_t first, Judgement& judgement) const {
    const auto if_any = [&](auto figure) {
      return over_repeats(first, [&](std::size_t i) -> std::optional<double> {
        return std::invoke(figure, fitted_[i].scores);
      });
    };
    const auto of = [&](auto figure) { return if_any(figure).value_or(support::MeanAndSd{}); };
    judgement.kendall = of(&RepeatScores::kendall);
    judgement.spearman = of(&RepeatScores::spearman);
    judgement.pearson_log = of(&RepeatScores::pearson_log);
    judgement.within_gpu_count_kendall = of(&RepeatScores::within_gpu_count_kendall);
    judgement.mape = if_any(&RepeatScores::mape);
    judgement.kendall_of_total = if_any(&RepeatScores::kendall_of_total);
    judgement.spearman_of_total = if_any(&RepeatScores::spearman_of_total);
    judgement.pearson_of_total = if_any(&RepeatScores::pearson_of_total);
    for (std::size_t k = 0; k < std::size(top_ks); ++k) {
      judgement.top_k_recall[k] =
          of([k](const RepeatScores& scores) { return scores.top_k_recall[k]; });
      judgement.regret_at[k] = of([k](const RepeatScores& scores) { return scores.regret_at[k]; });
    }
  }

  std::optional<Judgement::Feasibility> feasibility(const PredictorEntry& entry,
                                                    std::size_t size) const {
    if (heads_.empty()) return std::nullopt;
    const auto head = std::ranges::find(heads_, feasibility_fit_of(entry)) - heads_.begin();
    const std::size_t first = first_of(static_cast<std::size_t>(head), size);
    const auto mean = [&](double FeasibilityScores::*figure) {
      return *over_repeats(
          first, [&](std::size_t i) { return std::optional<double>(feasibility_[i].*figure); });
    };
    return Judgement::Feasibility{.auroc = mean(&FeasibilityScores::auroc),
                                  .auprc = mean(&FeasibilityScores::auprc),
                                  .brier = mean(&FeasibilityScores::brier)};
  }

  const Dataset& data_;
  const Protocol& protocol_;
  std::vector<std::size_t> timed_;
  std::vector<Split> splits_;          ///< of the timed jobs
  std::vector<Split> fitting_splits_;  ///< of those that say whether they fit; or none
  std::vector<Learn*> heads_;
  std::vector<Fitted> fitted_;
  std::vector<FeasibilityScores> feasibility_;
};

}  // namespace

JudgedDataset judge(const Dataset& data, const Protocol& protocol, int threads,
                    const std::function<void()>& done) {
  SIM_ASSERT(protocol.repeats >= 1, protocol.repeats);
  Judge judge(data, protocol);
  judge.run(threads, done);
  return judge.judged();
}

}  // namespace cubicbench::predictor
