#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/regret/exact_random.h"
#include "results/regret/known_spaces.h"
#include "results/regret/regret.h"
#include "results/studies/searcher_curves.h"
#include "results/studies/study_tally.h"

namespace cubicbench::results {

/// A number a study: the mean over the studies that have it, and their quartiles (type 7).
struct Spread {
  double mean = 0.0;
  double low = 0.0;   ///< lower quartile
  double high = 0.0;  ///< upper quartile

  bool operator==(const Spread&) const = default;
};

/// Nothing of no values.
std::optional<Spread> spread_of(const std::vector<double>& values);

/// A study at its end: after all its launches.
struct StudyEnd {
  const StudyResult* study = nullptr;
  StudyTally tally;
  std::optional<double> observed;     ///< best measured value
  std::optional<double> recommended;  ///< the same configuration's true value; nothing if it fails
  std::optional<double> gain;         ///< of that over the baseline's, as a share of it
  std::optional<StudyRegret> regret;  ///< after each launch; nothing where it is not known
  std::optional<double> random;       ///< exact regret of random search after as many launches
  /// Is the recommendation within 1 % and 5 % of the optimum's value? Nothing as `regret`.
  std::optional<bool> within_1_percent;
  std::optional<bool> within_5_percent;
};

/// The seeds of one series together.
struct SeriesRegret {
  std::string series;
  std::vector<StudyEnd> ends;  ///< one a seed
  /// Mean regret of the recommendation over the seeds, and its band, entry k for k + 1 launches, as
  /// far as half of the seeds go: quartiles, or the bootstrap interval of the mean. Empty where no
  /// regret is known; no band of one seed.
  std::vector<double> mean;
  std::vector<double> low;
  std::vector<double> high;

  StudyTally tally() const;
  std::optional<Spread> final_regret() const;
  std::optional<Spread> final_observed() const;
  std::optional<Spread> random() const;
  std::optional<Spread> gain() const;
  std::optional<double> share_within_1_percent() const;
  std::optional<double> share_within_5_percent() const;
};

/// What the studies of one scenario and instance came to, measured by what is known of the space.
struct GroupRegret {
  KnownSpace known;
  std::optional<RegretScale> scale;  ///< nothing where it is not known
  Replacement replacement = Replacement::without;
  /// Random search exactly, as far as the longest study: best values, and regrets, where p05 is
  /// what the regret does not exceed with a probability of 5 %. Empty where the space is not known.
  ExactRandom random_best;
  ExactRandom random;
  std::vector<SeriesRegret> series;  ///< as those of the StudyGroup
};

/// `baseline` is the baseline's true value, where it is known. Random search is exact with
/// replacement where all studies of the searcher `random` in the group have it.
GroupRegret group_regret(const StudyGroup& group, const KnownSpaces& spaces,
                         std::optional<double> baseline, const CurveOptions& options);

}  // namespace cubicbench::results
