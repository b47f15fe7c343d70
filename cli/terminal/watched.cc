#include "cli/terminal/watched.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <system_error>
#include <utility>

#include "search/backends/backend_factory.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

/// Launches of the simulator end before anyone can read this. A terminal has just shown ^C.
std::string_view waiting_note() {
  constexpr std::string_view note =
      "\ncubicbench: waiting for the launches that run; a second signal ends them at once\n";
  return ::isatty(STDERR_FILENO) == 1 ? note : note.substr(1);
}

/// A study of simulated launches is in order at any moment; real ones are waited for, or handed
/// over, and a client has its own time to end.
support::Patience patience_of(const search::SearchPlan& plan) {
  const bool is_real = !search::is_repeatable(search::parse_backend(plan.backend, "--backend"));
  const bool has_clients = std::ranges::any_of(plan.searchers, search::is_external);
  return is_real || has_clients ? support::Patience::endless : support::Patience::inherited;
}

/// Where values spill that no output lies beside: the working folder where there is no other.
std::filesystem::path temporary_path() {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  return (none ? std::filesystem::path() : folder) / "cubicbench";
}

}  // namespace

void say_note(std::string_view text, bool quiet) {
  if (!quiet) std::cerr << "cubicbench: " + std::string(text) + "\n" << std::flush;
}

search::SearchResult run_watched(const search::SearchPlan& plan, search::SearchRun run, bool quiet,
                                 const std::string& command) {
  const bool waits = search::ends_with_us(search::parse_backend(plan.backend, "--backend"));
  const support::InterruptionWatch watch(
      {.patience = patience_of(plan),
       .left = support::shortened(run.out.string()) + " is in order: " + command + " continues",
       .note = waits && !quiet ? waiting_note() : ""});
  run.stop = &watch.requested();
  search::SearchResult result;
  {
    const std::unique_ptr<Progress> progress = terminal_progress(quiet);
    if (progress != nullptr) {
      run.progress = [&progress](const search::SearchProgress& now) {
        progress->show(now.launches_done, now.launches_total);
      };
    }
    if (!quiet) {
      run.note = [&progress](const std::string& text) {
        if (progress != nullptr) progress->clear();
        std::cerr << "cubicbench: " + text + "\n" << std::flush;
      };
    }
    result = search::run_search(plan, run);
  }
  if (result.stopped) support::end_if_interrupted();
  return result;
}

predictor::JudgedDataset judge_watched(const datasets::Dataset& data,
                                       const predictor::Protocol& protocol,
                                       const PredictionRun& run) {
  support::end_if_interrupted();
  const std::unique_ptr<Progress> progress = terminal_progress(run.quiet, run.of);
  const std::int64_t fits =
      std::ssize(protocol.predictors) * std::ssize(protocol.train) * protocol.repeats;
  std::atomic<std::int64_t> done = 0;
  if (progress != nullptr) progress->show(0, fits);
  return predictor::judge(data, protocol, run.threads, [&] {
    ++done;
    if (progress != nullptr) progress->show(done, fits);
    support::end_if_interrupted();
  });
}

WatchedValues::WatchedValues(bool quiet, std::uint64_t total, int threads,
                             std::filesystem::path beside)
    : progress_(terminal_progress(quiet, "configurations")) {
  run_ = {.threads = threads,
          .beside = beside.empty() ? temporary_path() : std::move(beside),
          .progress = [this, all = static_cast<std::int64_t>(total)](std::uint64_t more) {
            const std::int64_t done = done_ += static_cast<std::int64_t>(more);
            if (progress_ != nullptr) progress_->show(done, all);
            support::end_if_interrupted();
          }};
}

void WatchedValues::finish() {
  if (progress_ != nullptr) progress_->clear();
  support::end_if_interrupted();
}

WatchedCount::WatchedCount(bool quiet, std::uint64_t total, const std::string& of)
    : progress_(terminal_progress(quiet, of)), total_(static_cast<std::int64_t>(total)) {}

void WatchedCount::add(std::uint64_t more) {
  const std::int64_t done = done_ += static_cast<std::int64_t>(more);
  if (progress_ != nullptr) progress_->show(done, total_);
  support::end_if_interrupted();
}

void WatchedCount::finish() {
  if (progress_ != nullptr) progress_->clear();
}

}  // namespace cubicbench::cli
