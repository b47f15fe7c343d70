#include "web/engine/racer.h"

#include <filesystem>
#include <utility>

#include "scenarios/problem/score.h"
#include "search/ledger/run_study.h"
#include "search/permuted/permuted_searcher.h"
#include "support/files.h"

namespace cubicbench::web {
namespace {

/// A new journal, in the place of that of an earlier race.
std::filesystem::path new_journal(const search::StudySpec& spec) {
  const std::filesystem::path path =
      std::filesystem::path("race") / (search::study_name(spec) + ".jsonl");
  support::make_folders(path.parent_path());
  std::filesystem::remove(path);
  return path;
}

}  // namespace

Racer::Racer(const scenarios::Scenario& scenario, const search::StudySpec& spec,
             const std::string& truth_sha256)
    : scenario_(scenario),
      spec_(spec),
      searcher_(search::searcher_of(spec, scenario)),
      backend_(scenarios::Instance(scenario, static_cast<std::uint64_t>(spec.instance))),
      log_({new_journal(spec)}, search::journal_header(spec, scenario.sha256, truth_sha256), false),
      ledger_(scenario_, spec_, backend_, log_) {}

std::vector<RacedLaunch> Racer::step(std::int64_t launches) {
  std::vector<RacedLaunch> ended;
  while (!is_done_ && std::ssize(ended) < launches) {
    launch_next();
    for (search::Finished& finished : backend_.taken()) {
      ended.push_back(counted(std::move(finished)));
    }
  }
  return ended;
}

void Racer::launch_next() {
  std::optional<search::EndedTrial> ended;
  if (ledger_.owes_baseline()) {
    ended = ledger_.run_baseline();
  } else if (ledger_.may_launch()) {
    searcher_->announce(1);
    std::optional<search::Proposal> proposal = search::next_proposal(ledger_, *searcher_, is_done_);
    if (!proposal) {
      is_done_ = true;
      return;
    }
    ledger_.launch(std::move(*proposal));
    ended = ledger_.next_end();
  }
  if (ended && ended->told) searcher_->tell(*ended->told);
  is_done_ = !ledger_.may_launch();
}

RacedLaunch Racer::counted(search::Finished finished) {
  gpu_hours_ += finished.outcome.cost_gpu_hours;
  if (const std::optional<double> measured = finished.outcome.value) {
    const double score = scenarios::score_of(scenario_.objective, *measured);
    if (!best_score_ || score > *best_score_) {
      best_score_ = score;
      best_value_ = finished.true_value->value;
      best_config_ = scenarios::config_text(scenario_.space, finished.launch.config);
    }
  }
  return {.finished = std::move(finished), .best = best_value_, .gpu_hours = gpu_hours_};
}

}  // namespace cubicbench::web
