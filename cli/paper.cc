#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/out_folder.h"
#include "cli/prediction_request.h"
#include "cli/problems.h"
#include "cli/watched_prediction.h"
#include "cli/watched_search.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/html.h"
#include "results/document/terminal.h"
#include "results/paper/paper_document.h"
#include "results/prediction/judgements.h"
#include "results/searches/search_document.h"
#include "results/studies/study_set.h"
#include "scenarios/readers/campaign_reader.h"
#include "search/backends/backend_factory.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using scenarios::CampaignStudies;
using support::InputError;
using support::Problem;

/// Which campaign, and where it goes unless said.
struct Edition {
  const char* campaign;
  const char* out;
  const char* flags;
};
constexpr Edition quick{.campaign = "paper", .out = "out/paper", .flags = ""};
constexpr Edition full{.campaign = "paper-full", .out = "out/paper-full", .flags = " --full"};

struct PaperRequest {
  GlobalOptions global;
  Edition edition = quick;
  fs::path out;
  std::optional<std::int64_t> trials;
  std::optional<std::int64_t> seeds;
  std::optional<std::int64_t> repeats;
};

void declare(CLI::App& app) {
  declare_value(app, "--out", "DIR",
                "Folder of the results (default: out/paper, of the full\nones out/paper-full); "
                "one that is there is completed");
  declare_flag(app, "--full", "The long protocols: more trials, seeds and repeats");
  declare_value(app, "--trials", "N",
                "Launches a study, for a quicker look (default: the\npaper's)");
  declare_value(app, "--seeds", "K", "Seeds a searcher, likewise");
  declare_value(app, "--repeats", "K", "Repeats a prediction, likewise");
}

PaperRequest read_request(const CLI::App& app) {
  std::vector<Problem> problems;
  PaperRequest request;
  request.global = gathered(problems, [&] { return global_options(app); });
  request.edition = app.count("--full") > 0 ? full : quick;
  request.out = gathered(problems, [&] {
    std::string out = value_of(app, "--out").value_or(request.edition.out);
    if (out.empty()) throw InputError("--out", "expected DIR, got \"\"");
    return out;
  });
  const auto count = [&](const char* name, std::int64_t max) {
    return gathered(problems, [&] { return integer_of(app, name, 1, max); });
  };
  request.trials = count("--trials", scenarios::trials_max);
  request.seeds = count("--seeds", scenarios::seeds_max);
  request.repeats = count("--repeats", scenarios::repeats_max);
  support::throw_if_any(problems);
  return request;
}

/// The command that makes this page again.
std::string command_of(const PaperRequest& request) {
  std::string command = std::string("cubicbench paper") + request.edition.flags;
  if (request.trials) command += " --trials " + std::to_string(*request.trials);
  if (request.seeds) command += " --seeds " + std::to_string(*request.seeds);
  if (request.repeats) command += " --repeats " + std::to_string(*request.repeats);
  return command;
}

search::SearchPlan plan_of(const CampaignStudies& studies, const PaperRequest& request) {
  search::SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario(studies.scenario));
  plan.backend = search::usual_backend(plan.scenarios);
  for (const std::string& searcher : studies.searchers) {
    plan.searchers.push_back(search::parse_searcher(searcher, "campaign"));
  }
  plan.trials = request.trials.value_or(studies.trials);
  plan.seeds = request.seeds.value_or(studies.seeds);
  plan.instances = studies.instances;
  plan.slots = studies.slots;
  plan.permute = studies.permute;
  return plan;
}

/// Folders of the studies.
std::set<std::string> names_of(const std::vector<CampaignStudies>& studies) {
  std::set<std::string> names;
  for (const CampaignStudies& one : studies) names.insert(one.name);
  return names;
}

/// The plan is ours and sound, so what is wrong is what lies in the folder, or an option. Which
/// fields of another plan differ is nobody's concern here: one cannot go on from it.
InputError with_way_out(const InputError& error, const fs::path& folder, const fs::path& out) {
  std::vector<Problem> problems = error.problems();
  if (problems.front().where.starts_with("--")) return error;
  const std::string way_out =
      "; remove " + support::shortened(out.string()) + " or name another folder with --out";
  const std::string field = (folder / "plan.json").string() + "#";
  if (std::ranges::all_of(
          problems, [&](const Problem& problem) { return problem.where.starts_with(field); })) {
    return {out.string(),
            "made by an older campaign, another version or with other options" + way_out};
  }
  problems.push_back({folder.string(), "damaged or changed by hand" + way_out});
  return InputError(std::move(problems));
}

search::SearchResult run_studies(const search::SearchPlan& plan, const fs::path& folder,
                                 const PaperRequest& request) {
  const search::SearchRun run{.out = folder,
                              .resume = true,
                              .sync = false,
                              .threads = static_cast<int>(request.global.threads),
                              .stop = nullptr,
                              .progress = {}};
  try {
    return run_watched(plan, run, request.global.quiet, "the same command");
  } catch (const InputError& error) {
    throw with_way_out(error, folder, request.out);
  }
}

/// What the studies came to, for the terminal and for --json.
struct Searched {
  results::Document document{.title = ""};
  nlohmann::ordered_json studies = nlohmann::ordered_json::array();
};

Searched search_all(const scenarios::Campaign& campaign, const PaperRequest& request) {
  Searched searched;
  for (const CampaignStudies& studies : campaign.studies) {
    const search::SearchPlan plan = plan_of(studies, request);
    const search::SearchResult result = run_studies(plan, request.out / studies.name, request);
    const results::SearchJudgement judgement = results::judge_search(request.out / studies.name);
    const nlohmann::ordered_json document = results::search_json(result, judgement);
    for (const auto& study : document["studies"]) {
      searched.studies.push_back(study);
    }
    results::add_search_tables(judgement, searched.document);
  }
  return searched;
}

/// One prediction of the campaign and what came of it.
struct Predicted {
  std::string name;
  PredictionRequest request;
  std::shared_ptr<const datasets::Dataset> data;
  predictor::JudgedDataset judged;
};

/// The jobs of the request: those that an earlier prediction has read, if it had the same.
std::shared_ptr<const datasets::Dataset> shared_jobs(const PredictionRequest& request,
                                                     const std::vector<Predicted>& earlier,
                                                     int threads) {
  const auto same = [&](const Predicted& other) {
    return other.request.source == request.source && other.request.seed == request.seed;
  };
  const auto found = std::ranges::find_if(earlier, same);
  return found != earlier.end() ? found->data
                                : std::make_shared<const datasets::Dataset>(
                                      jobs_of(request.source, request.seed, threads));
}

std::string left_in_order(const PaperRequest& request) {
  return support::shortened(request.out.string()) + " is in order: the same command continues";
}

std::vector<Predicted> predict_all(const scenarios::Campaign& campaign, const PaperRequest& paper,
                                   const InterruptionWatch& watch) {
  const int threads = static_cast<int>(paper.global.threads);
  std::vector<Predicted> predicted;
  for (const scenarios::CampaignPrediction& prediction : campaign.predictions) {
    PredictionRequest request = request_of(prediction);
    request.repeats = paper.repeats.value_or(request.repeats);
    const PredictionRun run{.threads = threads,
                            .quiet = paper.global.quiet,
                            .of = "fits of " + prediction.name + " (" +
                                  std::to_string(predicted.size() + 1) + "/" +
                                  std::to_string(campaign.predictions.size()) + ")",
                            .left = left_in_order(paper)};
    auto data = shared_jobs(request, predicted, threads);
    predictor::JudgedDataset judged = judge_watched(*data, protocol_of(request), run, watch);
    predicted.push_back({.name = prediction.name,
                         .request = std::move(request),
                         .data = std::move(data),
                         .judged = std::move(judged)});
  }
  return predicted;
}

/// Draws what the campaign's searches and predictions left. Returns the names of the files.
std::vector<std::string> write_page(const scenarios::Campaign& campaign,
                                    const std::vector<Predicted>& predicted,
                                    const PaperRequest& request, const fs::path& page) {
  std::vector<fs::path> folders;
  for (const CampaignStudies& studies : campaign.studies) {
    folders.push_back(request.out / studies.name);
  }
  std::vector<results::PaperPrediction> predictions;
  for (const Predicted& one : predicted) {
    predictions.push_back({.name = one.name,
                           .data = one.data.get(),
                           .judged = &one.judged,
                           .command = command_of(one.request)});
  }
  results::PaperOptions options;
  if (!campaign.studies.empty()) {
    options.curves.permutations = campaign.studies.front().permutations;
    options.curves.bootstrap = campaign.studies.front().bootstrap;
  }
  options.title = campaign.summary;
  options.figures = campaign.figures;
  options.commands = {command_of(request)};
  const results::StudySet set = results::read_study_set(folders);
  return results::write_page(results::paper_document(set, predictions, page, options), page);
}

nlohmann::ordered_json predictions_json(const std::vector<Predicted>& predicted) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Predicted& one : predicted) {
    nlohmann::ordered_json item{{"name", one.name}};
    const nlohmann::ordered_json document = results::predict_json(one.judged);
    for (const auto& [key, value] : document.items()) {
      if (key != "schema" && key != "version") item[key] = value;
    }
    list.push_back(item);
  }
  return list;
}

void add_predictions(const std::vector<Predicted>& predicted, results::Document& document) {
  std::vector<results::NamedJudgement> named;
  for (const Predicted& one : predicted) named.push_back({.name = one.name, .judged = &one.judged});
  document.add(results::predictions_document(named));
}

Reply answer(const CLI::App& app, results::Ink) {
  const PaperRequest request = read_request(app);
  const scenarios::Campaign campaign =
      scenarios::read_campaign(request.edition.campaign, results::paper_figures());
  require_paper_folder(request.out, names_of(campaign.studies));
  Searched searched = search_all(campaign, request);
  const InterruptionWatch watch;
  const std::vector<Predicted> predicted = predict_all(campaign, request, watch);
  const fs::path page = request.out / "index.html";
  nlohmann::ordered_json document = support::new_document("paper");
  document["studies"] = searched.studies;
  document["predictions"] = predictions_json(predicted);
  document["files"] = write_page(campaign, predicted, request, page);
  document["page"] = page.string();
  if (request.global.json) return support::document_text(document);
  add_predictions(predicted, searched.document);
  searched.document.add(results::Paragraph{"Open " + page.string() + " in a browser."});
  return results::terminal_text(searched.document);
}

}  // namespace

Command paper_command() {
  return {.name = "paper",
          .summary = "Every figure of the paper from end to end: one page",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
