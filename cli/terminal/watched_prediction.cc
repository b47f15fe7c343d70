#include "cli/terminal/watched_prediction.h"

#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>

#include "cli/terminal/note.h"
#include "cli/terminal/progress.h"

namespace cubicbench::cli {

predictor::JudgedDataset judge_watched(const datasets::Dataset& data,
                                       const predictor::Protocol& protocol,
                                       const PredictionRun& run,
                                       const support::InterruptionWatch& watch) {
  end_if_requested(watch, run.left);
  const std::unique_ptr<Progress> progress = terminal_progress(run.quiet, run.of);
  const std::int64_t fits =
      std::ssize(protocol.predictors) * std::ssize(protocol.train) * protocol.repeats;
  std::atomic<std::int64_t> done = 0;
  if (progress != nullptr) progress->show(0, fits);
  return predictor::judge(data, protocol, run.threads, [&] {
    ++done;
    if (progress != nullptr) progress->show(done, fits);
    end_if_requested(watch, run.left);
  });
}

}  // namespace cubicbench::cli
