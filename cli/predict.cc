#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/note.h"
#include "cli/options.h"
#include "cli/out_folder.h"
#include "cli/prediction_request.h"
#include "cli/problems.h"
#include "cli/watched_prediction.h"
#include "predictor/learners/registry.h"
#include "results/document/html.h"
#include "results/document/terminal.h"
#include "results/prediction/judgements.h"
#include "results/prediction/prediction_document.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using Problems = std::vector<support::Problem>;

constexpr std::array<std::int64_t, 3> train_otherwise{40, 150, 300};
constexpr const char* nothing_written = "nothing was written";

/// What the command line of `predict` asks for.
struct Asked {
  PredictionRequest request;
  std::optional<fs::path> out;
  GlobalOptions global;
};

void declare(CLI::App& app) {
  declare_positional(app, "SCENARIO|DATASET",
                     "A scenario, which is sampled, or a dataset: a name, or\nthe path of a "
                     "scenario's JSON or a table's CSV")
      ->required();
  declare_value(app, "--predictor", "NAME[,..]",
                "Predictors (default: all); see cubicbench list\npredictors");
  declare_value(app, "--split", "S",
                "What is predicted from what: random (default), time,\nscale, workload, cluster "
                "or searcher");
  declare_value(app, "--train", "N[,N..]", "Jobs to learn from (default: 40,150,300)");
  declare_value(app, "--repeats", "K", "Random draws of those jobs (default: 10)");
  declare_value(app, "--features", "F",
                "What is known of a dataset's jobs: launch (default), or\nmeasured-fabric, with "
                "what they measured of their links");
  declare_value(app, "--out", "DIR", "Also write a page, its figures and their numbers there");
  declare_value(app, "--rows", "N", "Configurations to draw of a scenario (default: 1000)");
  declare_value(app, "--seed", "S", "Of the draws and the learners (default: 0)");
}

JobsSource read_source(const CLI::App& app, Problems& problems) {
  JobsSource source;
  const std::size_t before = problems.size();
  source.is_scenario = gathered(problems, [&] {
    source.name = value_of(app, "SCENARIO|DATASET").value_or("");
    return names_scenario(source.name, "SCENARIO|DATASET");
  });
  const bool known = problems.size() == before;
  const auto rows = gathered(problems, [&] {
    return integer_of(app, "--rows", scenarios::rows_min, scenarios::rows_max);
  });
  const auto features = gathered(problems, [&] {
    const auto name = value_of(app, "--features");
    return name ? std::optional(parse_features(*name, "--features")) : std::nullopt;
  });
  if (known && rows && !source.is_scenario) {
    problems.push_back({"--rows",
                        "expected with a scenario only: a dataset has the rows that it "
                        "has"});
  }
  if (known && features && source.is_scenario) {
    problems.push_back({"--features",
                        "expected with a dataset only: a scenario's are its "
                        "parameters"});
  }
  source.rows = rows.value_or(source.rows);
  source.features = features.value_or(source.features);
  return source;
}

std::vector<const predictor::PredictorEntry*> read_predictors(const CLI::App& app,
                                                              Problems& problems) {
  std::vector<const predictor::PredictorEntry*> read;
  std::set<std::string> seen;
  for (const std::string& name : words_of(app, "--predictor")) {
    read.push_back(
        gathered(problems, [&] { return &predictor::find_predictor(name, "--predictor"); }));
    if (read.back() != nullptr && !seen.insert(name).second) {
      problems.push_back({"--predictor", "expected each once, got \"" + name + "\" again"});
    }
  }
  if (app.count("--predictor") == 0) {
    for (const predictor::PredictorEntry& entry : predictor::predictors()) read.push_back(&entry);
  }
  return read;
}

/// In rising order: a learning curve goes from left to right.
std::vector<std::int64_t> read_train(const CLI::App& app, Problems& problems) {
  std::vector<std::int64_t> train =
      gathered(problems, [&] { return integers_of(app, "--train", 1, scenarios::rows_max); });
  std::ranges::sort(train);
  if (const auto twice = std::ranges::adjacent_find(train); twice != train.end()) {
    problems.push_back({"--train", "expected each once, got " + std::to_string(*twice) + " again"});
  }
  if (app.count("--train") == 0) train.assign(train_otherwise.begin(), train_otherwise.end());
  return train;
}

/// Nothing that is there is written over.
std::optional<fs::path> read_out(const CLI::App& app) {
  const std::optional<std::string> out = value_of(app, "--out");
  if (!out) return std::nullopt;
  if (out->empty()) throw InputError("--out", "expected DIR, got \"\"");
  require_new_folder(*out, *out);
  return fs::path(*out);
}

Asked read_asked(const CLI::App& app) {
  Problems problems;
  Asked asked;
  asked.global = gathered(problems, [&] { return global_options(app); });
  PredictionRequest& request = asked.request;
  request.source = read_source(app, problems);
  request.predictors = read_predictors(app, problems);
  request.split = gathered(problems, [&] {
    return parse_split(value_of(app, "--split").value_or("random"), "--split");
  });
  request.train = read_train(app, problems);
  request.repeats = gathered(problems, [&] {
    return integer_of(app, "--repeats", 1, scenarios::repeats_max).value_or(request.repeats);
  });
  request.seed = gathered(problems, [&] {
    constexpr std::int64_t seed_max = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::uint64_t>(integer_of(app, "--seed", 0, seed_max).value_or(0));
  });
  asked.out = gathered(problems, [&] { return read_out(app); });
  support::throw_if_any(problems);
  return asked;
}

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

Reply answer(const CLI::App& app, results::Ink) {
  const Asked asked = read_asked(app);
  const PredictionRequest& request = asked.request;
  const int threads = static_cast<int>(asked.global.threads);
  const InterruptionWatch watch;
  const datasets::Dataset data = jobs_of(request.source, request.seed, threads);
  for (const std::string& note : data.notes) say_note(note, asked.global.quiet);
  const predictor::JudgedDataset judged = judge_watched(
      data, protocol_of(request),
      {.threads = threads, .quiet = asked.global.quiet, .of = "fits", .left = nothing_written},
      watch);
  say_short_sizes(judged, asked.global.quiet);
  const results::Document document =
      results::prediction_document(data, judged, command_of(request));
  std::string written;
  if (asked.out) {
    end_if_requested(watch, nothing_written);
    // A signal from here on finds the work done, so that the folder is whole or not begun.
    results::write_page(document, *asked.out / "index.html");
    written = "\nOpen " + (*asked.out / "index.html").string() + " in a browser.\n";
  }
  return asked.global.json ? support::document_text(results::predict_json(judged))
                           : results::terminal_text(document) + written;
}

}  // namespace

Command predict_command() {
  return {.name = "predict",
          .summary = "How well predictors rank jobs they have not seen",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
