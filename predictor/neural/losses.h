#pragma once

#include <span>

namespace cubicbench::predictor {

/// Losses of a batch of scores, with the gradient of each with respect to the scores. All spans are
/// as long as `scores`; `gradient` is overwritten.

/// Pairwise margin ranking loss: the mean over all pairs with different targets of
///
///   max(0, margin - sign(target_i - target_j) (score_i - score_j))        [PyTorch,
///   MarginRankingLoss]
///
/// so that nothing but the order of the targets counts. 0 when there is no such pair.
float margin_ranking_loss(std::span<const float> scores, std::span<const float> targets,
                          float margin, std::span<float> gradient);

/// Mean of (score - target)^2.
float squared_loss(std::span<const float> scores, std::span<const float> targets,
                   std::span<float> gradient);

/// Mean of ln(1 + exp(-sign score)), where sign is 1 for a target of 1 and -1 for one of 0: minus
/// the logarithm of the probability that a logistic model gives to what happened.
float logistic_loss(std::span<const float> scores, std::span<const float> targets,
                    std::span<float> gradient);

/// 1 / (1 + exp(-score)).
double logistic(double score);

}  // namespace cubicbench::predictor
