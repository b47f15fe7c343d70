#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "predictor/judging/protocol.h"

namespace cubicbench::predictor {

/// Which of the predictors may be chosen.
enum class Learnt {
  anything,
  values,  ///< rather one that estimates values than one of order alone
  order,   ///< the other way round
};

/// The judgement of the predictor with the greatest mean tau on the size of the training part that
/// is nearest to `train` (nothing: the largest; of two as near the larger). Privileged predictors
/// are chosen only when there are no others, and those that learnt something else than asked only
/// when none learnt it. Of equal ones the first. Null when there is no judgement at all.
///
/// Chosen by what is then shown: of several predictors that are equally good the luckiest, so its
/// tau flatters a little.
const Judgement* best_judgement(const JudgedDataset& judged,
                                std::optional<std::int64_t> train = std::nullopt,
                                Learnt learnt = Learnt::anything);

/// The same choice among the predictors that never ask the simulator, of values or of order; null
/// where there is none.
const Judgement* best_never_asking(const JudgedDataset& judged, std::int64_t train);

/// The sizes of the training part that were judged, rising.
std::vector<std::int64_t> train_sizes(const JudgedDataset& judged);

/// The smallest size of the training part on which the best predictor's mean tau comes within 0.02
/// of the best on the largest; 0 when fewer than two sizes were judged.
std::int64_t enough_jobs(const JudgedDataset& judged);

/// Some of the judgements of a JudgedDataset, which must outlive them.
using Judgements = std::vector<const Judgement*>;

/// The judgements of each predictor by rising size of the training part, in the order in which
/// predictors first come.
std::vector<Judgements> by_predictor(const JudgedDataset& judged);

}  // namespace cubicbench::predictor
