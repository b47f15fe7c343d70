#pragma once

#include "search/ledger/ledger.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// What the searcher proposes next, told the account of its study before. Nothing where it has no
/// more, or waits, or what is left does not cover its proposal, in which case `is_done`.
std::optional<Proposal> next_proposal(const Ledger& ledger, Searcher& searcher, bool& is_done);

/// Runs a study to the end of its budget or of its searcher: fills free slots with proposals, waits
/// for the trial that ends next and then tells the searcher. A warm start is told before everything
/// else. A study that grants the baseline launches it first, as trial 0, and tells it before it
/// asks. What the searcher recommends at the
/// end is recorded where it states it; Refused says that it cannot be. The rest is the ledger's.
StudySummary run_study(const scenarios::Scenario& scenario, const StudySpec& spec,
                       Searcher& searcher, Backend& backend, StudyLog& log,
                       const StudyControl& control = {});

}  // namespace cubicbench::search
