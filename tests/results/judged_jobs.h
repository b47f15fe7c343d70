#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "sim/base/numeric.h"
#include "sim/base/philox.h"

namespace cubicbench::results {

/// Jobs of 8 to 1,024 GPUs whose rate per GPU falls with their number; every tenth ran out of
/// memory.
inline datasets::Dataset made_up_jobs(std::int64_t jobs) {
  datasets::Dataset data;
  data.name = "made-up <jobs>";
  data.simulated = true;
  for (std::int64_t i = 0; i < jobs; ++i) {
    const auto words =
        sim::random_words({.purpose = sim::Purpose::test, .entity = static_cast<std::uint64_t>(i)});
    datasets::Job job;
    job.id = "job " + std::to_string(i);
    job.when = i / 2;
    job.gpus = std::int64_t{8} << (words.first % 8);
    job.configuration = static_cast<std::uint64_t>(i);
    if (i % 10 == 9) {
      job.status = datasets::JobStatus::out_of_memory;
    } else {
      job.noise_free = 4000.0 / sim::pow(static_cast<double>(job.gpus), 0.3) *
                       (0.5 + static_cast<double>(words.second % 1000) / 1000.0);
      job.value = *job.noise_free * (0.97 + static_cast<double>(words.first % 61) / 1000.0);
    }
    data.jobs.push_back(job);
  }
  return data;
}

/// A judgement whose first repeat predicts every timed job of `data` to a factor of about 1 +
/// `error`.
inline predictor::Judgement made_up_judgement(const datasets::Dataset& data,
                                              const std::string& name, std::int64_t train,
                                              double tau, double error) {
  predictor::Judgement of;
  of.predictor = name;
  of.train = train;
  of.test = 45;
  of.repeats = 2;
  of.kendall = {tau, 0.02};
  of.spearman = {tau + 0.1, 0.01};
  of.pearson_log = {tau + 0.05, 0.015};
  of.mape = support::MeanAndSd{0.125, 0.025};
  for (std::size_t k = 0; k < 3; ++k) {
    of.top_k_recall[k] = {0.25 * static_cast<double>(k + 1), 0.1};
    of.regret_at[k] = {0.5 / static_cast<double>(k + 1), 0.1};
  }
  of.within_gpu_count_kendall = {tau - 0.2, 0.03};
  of.kendall_of_total = support::MeanAndSd{tau + 0.08, 0.01};
  of.spearman_of_total = support::MeanAndSd{tau + 0.18, 0.01};
  of.pearson_of_total = support::MeanAndSd{tau + 0.19, 0.01};
  of.feasibility = predictor::Judgement::Feasibility{
      .auroc = {0.96, 0.01}, .auprc = {0.9, 0.02}, .brier = {0.05, 0.01}};
  of.kendall_of_repeat = {tau - 0.01, tau + 0.01};
  for (std::size_t i = 0; i < data.jobs.size(); ++i) {
    if (!data.jobs[i].value) continue;
    const auto words = sim::random_words({.seed = 1, .purpose = sim::Purpose::test, .entity = i});
    const double off = static_cast<double>(words.first % 2001) / 1000.0 - 1.0;
    of.first_repeat.push_back({i, sim::log(*data.jobs[i].value) + error * off});
  }
  return of;
}

/// `ridge` and the simulator's friend `roofline` on 40 and 150 jobs, and `mlp`, of order alone.
inline predictor::JudgedDataset made_up_judgements(const datasets::Dataset& data) {
  predictor::JudgedDataset judged;
  judged.dataset = data.name;
  judged.rows = static_cast<std::int64_t>(datasets::timed_jobs(data).size());
  for (const std::int64_t train : {40, 150}) {
    const double more = train == 40 ? 0.0 : 0.1;
    judged.judgements.push_back(made_up_judgement(data, "ridge", train, 0.6 + more, 0.4));
  }
  for (const std::int64_t train : {40, 150}) {
    judged.judgements.push_back(made_up_judgement(data, "roofline", train, 0.9, 0.1));
    judged.judgements.back().asks_simulator = true;
    judged.judgements.back().privileged = true;
  }
  for (const std::int64_t train : {40, 150}) {
    const double more = train == 40 ? 0.0 : 0.1;
    judged.judgements.push_back(made_up_judgement(data, "mlp", train, 0.65 + more, 0.3));
    judged.judgements.back().calibrated = false;
    judged.judgements.back().mape.reset();
    judged.judgements.back().feasibility.reset();
  }
  judged.noise_ceiling_kendall = 0.97;
  return judged;
}

}  // namespace cubicbench::results
