#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "cli/watched_search.h"
#include "results/report.h"
#include "results/search_json.h"
#include "results/search_text.h"
#include "results/study_set.h"
#include "scenarios/campaign_reader.h"
#include "scenarios/input_error.h"
#include "scenarios/json_document.h"
#include "scenarios/scenario_reader.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using scenarios::CampaignStudies;
using scenarios::InputError;
using scenarios::Problem;

constexpr const char* otherwise_out = "out/paper";

struct PaperRequest {
  GlobalOptions global;
  fs::path out;
  std::optional<std::int64_t> trials;
  std::optional<std::int64_t> seeds;
};

void declare(CLI::App& app) {
  declare_value(app, "--out", "DIR",
                "Folder of the results (default: out/paper); one that is\nthere "
                "is completed");
  declare_value(app, "--trials", "N",
                "Launches a study, for a quicker look (default: the\npaper's)");
  declare_value(app, "--seeds", "K", "Seeds a searcher, likewise");
}

PaperRequest read_request(const CLI::App& app) {
  std::vector<Problem> problems;
  PaperRequest request;
  request.global = gathered(problems, [&] { return global_options(app); });
  request.out = gathered(problems, [&] { return value_of(app, "--out").value_or(otherwise_out); });
  if (request.out.empty() && problems.empty()) {
    problems.push_back({"--out", "expected DIR, got \"\""});
  }
  request.trials =
      gathered(problems, [&] { return integer_of(app, "--trials", 1, scenarios::trials_max); });
  request.seeds =
      gathered(problems, [&] { return integer_of(app, "--seeds", 1, scenarios::seeds_max); });
  scenarios::throw_if_any(problems);
  return request;
}

/// Pages of several searches lie above their folders, never in one of them.
void require_no_search(const fs::path& out) {
  std::error_code error;
  if (fs::exists(out / "plan.json", error)) {
    throw InputError("--out", "expected a folder of its own, got " +
                                  scenarios::shortened(out.string()) +
                                  ", which holds the plan.json of a search");
  }
}

/// The command that makes this page again.
std::string command_of(const PaperRequest& request) {
  std::string command = "cubicbench paper";
  if (request.trials) command += " --trials " + std::to_string(*request.trials);
  if (request.seeds) command += " --seeds " + std::to_string(*request.seeds);
  return command;
}

search::SearchPlan plan_of(const CampaignStudies& studies, const PaperRequest& request) {
  search::SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario(studies.scenario));
  for (const std::string& searcher : studies.searchers) {
    plan.searchers.push_back(search::parse_searcher(searcher, "campaign"));
  }
  plan.trials = request.trials.value_or(studies.trials);
  plan.seeds = request.seeds.value_or(studies.seeds);
  plan.instances = studies.instances;
  plan.slots = studies.slots;
  return plan;
}

/// The plan is ours and sound, so what is wrong is what lies in the folder, or an option.
InputError with_way_out(const InputError& error, const fs::path& folder) {
  std::vector<Problem> problems = error.problems();
  if (problems.front().where.starts_with("--")) return error;
  problems.push_back({folder.string(),
                      "made by another version, with other options, or changed by hand; to start "
                      "afresh remove this folder, or name another with --out"});
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
    throw with_way_out(error, folder);
  }
}

/// Draws what the campaign's searches left. Returns the names of the files.
std::vector<std::string> write_page(const scenarios::Campaign& campaign,
                                    const PaperRequest& request, const fs::path& page) {
  std::vector<fs::path> folders;
  for (const CampaignStudies& studies : campaign.studies) {
    folders.push_back(request.out / studies.name);
  }
  results::ReportOptions options;
  options.title = campaign.summary;
  options.commands = {command_of(request)};
  return results::write_report(results::read_study_set(folders), page, options);
}

std::string answer(const CLI::App& app, results::Ink) {
  const PaperRequest request = read_request(app);
  require_no_search(request.out);
  const scenarios::Campaign campaign = scenarios::read_campaign("paper");
  nlohmann::ordered_json document = scenarios::new_document("paper");
  document["studies"] = nlohmann::ordered_json::array();
  std::string text;
  for (const CampaignStudies& studies : campaign.studies) {
    const search::SearchPlan plan = plan_of(studies, request);
    const search::SearchResult result = run_studies(plan, request.out / studies.name, request);
    const nlohmann::ordered_json searched = results::search_json(result);
    for (const auto& study : searched["studies"]) {
      document["studies"].push_back(study);
    }
    text += results::search_table(plan, result);
  }
  const fs::path page = request.out / "index.html";
  document["files"] = write_page(campaign, request, page);
  document["page"] = page.string();
  return request.global.json ? scenarios::document_text(document)
                             : text + "Open " + page.string() + " in a browser.\n";
}

}  // namespace

Command paper_command() {
  return {.name = "paper",
          .summary = "The paper's search curves from end to end: one page",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
