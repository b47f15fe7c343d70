#pragma once

#include <span>

namespace cubicbench::support {

/// How well a classifier's scores tell positives from negatives: a higher score means more likely
/// positive.

/// Area under the receiver operating characteristic: the probability that a positive's score
/// exceeds a negative's, ties counted half, which is a12() of the two [HanleyMcNeil82]. 0.5 where
/// there is only one class.
double area_under_roc(std::span<const double> scores, std::span<const bool> positive);

/// Area under the precision-recall curve as average precision, which is what scikit-learn computes:
///
///   AP = sum over thresholds, from the highest, of (recall - recall before) precision
///
/// Equal scores are one threshold. 1 where all are positive, 0 where none is.
double area_under_precision_recall(std::span<const double> scores, std::span<const bool> positive);

/// Mean of (probability - outcome)^2: half of the sum over both classes in [Brier50]. Requires an
/// entry.
double brier_score(std::span<const double> probabilities, std::span<const bool> positive);

}  // namespace cubicbench::support
