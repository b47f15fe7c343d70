#include "search/ledger/run_study.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::search {
namespace {

void tell(Searcher& searcher, const std::optional<EndedTrial>& ended) {
  if (ended && ended->told) searcher.tell(*ended->told);
}

/// Proposes until every slot is taken, the budget is spent or the searcher has no more. `is_done`:
/// it had no more before, or has none now.
void fill_slots(Ledger& ledger, Searcher& searcher, bool& is_done) {
  searcher.announce(std::min(ledger.free_slots(), ledger.balance().launches_left));
  while (!is_done && ledger.has_free_slot() && ledger.may_launch()) {
    std::optional<Proposal> proposal = searcher.ask();
    if (!proposal) {
      is_done = !searcher.waits();
      return;
    }
    ledger.launch(std::move(proposal->config), proposal->round);
  }
}

}  // namespace

StudySummary run_study(const scenarios::Scenario& scenario, const StudySpec& spec,
                       Searcher& searcher, Backend& backend, StudyLog& log,
                       const StudyControl& control) {
  Ledger ledger(scenario, spec, backend, log, control);
  if (ledger.owes_baseline() && ledger.may_launch()) tell(searcher, ledger.run_baseline());
  bool is_done = false;
  while (!ledger.owes_baseline()) {
    fill_slots(ledger, searcher, is_done);
    const std::optional<EndedTrial> ended = ledger.next_end();
    if (!ended) break;
    tell(searcher, ended);
  }
  if (!ledger.is_stopped()) {
    const std::optional<scenarios::Configuration> recommended = searcher.recommend();
    SIM_ASSERT(!recommended || ledger.was_launched(*recommended), spec.searcher.text);
    ledger.close(recommended);
  }
  return ledger.summary();
}

}  // namespace cubicbench::search
