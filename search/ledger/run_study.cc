#include "search/ledger/run_study.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/base/check.h"
#include "support/interruption.h"

namespace cubicbench::search {
namespace {

void tell(Searcher& searcher, const std::optional<EndedTrial>& ended) {
  if (ended && ended->told) searcher.tell(*ended->told);
}

/// Proposes until every slot is taken, the budget is spent or the searcher has no more. `is_done`:
/// it had no more before, or has none now.
void fill_slots(Ledger& ledger, Searcher& searcher, bool& is_done) {
  const auto left = static_cast<std::int64_t>(std::ceil(ledger.state().launches_left));
  searcher.announce(std::min(ledger.free_slots(), left));
  while (!is_done && ledger.has_free_slot() && ledger.may_launch()) {
    std::optional<Proposal> proposal = next_proposal(ledger, searcher, is_done);
    if (!proposal) return;
    ledger.launch(std::move(*proposal));
  }
}

/// What a searcher does with a study until a signal ends it; launches that run are still waited for
/// where they have to be.
class Driven {
 public:
  Driven(Ledger& ledger, Searcher& searcher) : ledger_(ledger), searcher_(searcher) {}

  void fill_slots() {
    in_order([&] { search::fill_slots(ledger_, searcher_, is_done_); });
  }
  void tell(const std::optional<EndedTrial>& ended) {
    in_order([&] { search::tell(searcher_, ended); });
  }

 private:
  /// A searcher that was interrupted while it thought is never asked or told again.
  template <class Step>
  void in_order(Step step) {
    if (is_interrupted_) return;
    try {
      step();
    } catch (const support::Interrupted&) {
      ledger_.may_launch();
      if (!ledger_.is_stopped()) throw;
      is_interrupted_ = true;
    }
  }

  Ledger& ledger_;
  Searcher& searcher_;
  bool is_done_ = false;  ///< it has no more proposals
  bool is_interrupted_ = false;
};

}  // namespace

std::optional<Proposal> next_proposal(const Ledger& ledger, Searcher& searcher, bool& is_done) {
  searcher.observe(ledger.state());
  std::optional<Proposal> proposal = searcher.ask();
  const bool beyond = proposal && !ledger.covers(proposal->fidelity);
  is_done = proposal ? beyond : !searcher.waits();
  return beyond ? std::nullopt : proposal;
}

StudySummary run_study(const scenarios::Scenario& scenario, const StudySpec& spec,
                       Searcher& searcher, Backend& backend, StudyLog& log,
                       const StudyControl& control) {
  Ledger ledger(scenario, spec, backend, log, control);
  Driven driven(ledger, searcher);
  for (const ToldTrial& known : ledger.told_first()) searcher.remember(known);
  if (ledger.owes_baseline() && ledger.may_launch()) driven.tell(ledger.run_baseline());
  while (!ledger.owes_baseline()) {
    driven.fill_slots();
    const std::optional<EndedTrial> ended = ledger.next_end();
    if (!ended) break;
    driven.tell(ended);
  }
  if (!ledger.is_stopped()) {
    std::optional<scenarios::Configuration> recommended = searcher.recommend();
    // The best that it knows may be none of what this study measured.
    if (recommended && spec.warm_start && !ledger.was_measured(*recommended)) recommended.reset();
    SIM_ASSERT(!recommended || is_external(spec.searcher) || ledger.was_launched(*recommended),
               spec.searcher.text);
    ledger.close(recommended);
  }
  return ledger.summary();
}

}  // namespace cubicbench::search
