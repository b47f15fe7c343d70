#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/prediction_request.h"
#include "cli/terminal/watched.h"
#include "cli/terminal/written_page.h"
#include "results/document/terminal.h"
#include "results/prediction/judgements.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

/// Says which sizes of the training part the jobs were too few for.
void say_short_sizes(const predictor::JudgedDataset& judged, bool quiet) {
  const std::string& first = judged.judgements.front().predictor;
  for (const predictor::Judgement& judgement : judged.judgements) {
    // All predictors see the same jobs.
    if (judgement.predictor != first || judgement.learnable >= judgement.asked) continue;
    say_note("asked to learn from " + std::to_string(judgement.asked) + " jobs, " +
                 std::to_string(judgement.learnable) + " can be learnt from",
             quiet);
  }
}

Reply answer(const PredictAsked& asked, const results::Screen& screen) {
  const PredictionRequest& request = asked.request;
  const int threads = asked.global.threads;
  const support::InterruptionWatch watch({.left = "nothing was written"});
  const datasets::Dataset data = jobs_of(request.source, request.seed, threads);
  for (const std::string& note : data.notes) say_note(note, asked.global.quiet);
  const predictor::JudgedDataset judged =
      judge_watched(data, request, {.threads = threads, .quiet = asked.global.quiet});
  say_short_sizes(judged, asked.global.quiet);
  const results::Document document =
      results::prediction_document(data, judged, command_of(request) + " --out DIR");
  support::end_if_interrupted();  // later signals find the folder whole or not begun
  const std::string written = written_page(document, asked.out);
  return asked.global.json ? support::document_text(results::predict_json(judged))
                           : results::terminal_text(document, screen) + written;
}

}  // namespace

Command predict_command() { return command(words::predict, declare_predict, answer); }

}  // namespace cubicbench::cli
