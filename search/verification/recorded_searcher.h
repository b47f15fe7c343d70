#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/journal/journal.h"
#include "search/searchers/searcher.h"
#include "search/study/study.h"

namespace cubicbench::search {

/// Proposes what the journal of a study has, in the order of its trials and at the times at which
/// they began: with several slots, after as many trials as had ended then. It recommends what the
/// journal recommends. Nothing that it is told matters.
class RecordedSearcher : public Searcher {
 public:
  /// Throws Refused, one sentence, where a configuration is none of the scenario's knobs and
  /// values.
  RecordedSearcher(const JournalFile& journal, const StudySpec& spec,
                   const scenarios::Scenario& scenario);

  void announce(std::int64_t launches) override;
  std::optional<Proposal> ask() override;
  bool waits() const override { return next_ < trials_.size(); }
  void tell(const ToldTrial& trial) override;
  std::optional<scenarios::Configuration> recommend() override { return recommended_; }

 private:
  struct Trial {
    Proposal proposal;
    std::int64_t after = 0;  ///< how many trials have to have ended
  };

  std::vector<Trial> trials_;  ///< without a granted baseline
  std::optional<scenarios::Configuration> recommended_{};
  std::size_t next_ = 0;
  std::int64_t ended_ = -1;  ///< the first announcement comes before any has
};

}  // namespace cubicbench::search
