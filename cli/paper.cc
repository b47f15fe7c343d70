#include "cli/paper.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/terminal/progress.h"
#include "results/document/html.h"
#include "results/document/terminal.h"
#include "results/paper/paper_document.h"
#include "results/paper/paper_record.h"
#include "results/prediction/judgements.h"
#include "search/finished/study_set.h"
#include "support/interruption.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using results::NamedJudgement;
using results::PaperAnswer;
using scenarios::CampaignStudies;

/// Folders of the studies.
std::set<std::string> names_of(const std::vector<CampaignStudies>& studies) {
  std::set<std::string> names;
  for (const CampaignStudies& one : studies) names.insert(one.name);
  return names;
}

std::vector<NamedJudgement> judgements_of(const std::vector<PaperPredicted>& predicted) {
  std::vector<NamedJudgement> judgements;
  for (const PaperPredicted& one : predicted) {
    judgements.push_back({.name = one.name,
                          .data = one.data.get(),
                          .judged = &one.judged,
                          .command = command_of(one.request)});
  }
  return judgements;
}

/// Draws what the campaign's searches and predictions left. Returns the names of the files.
std::vector<std::string> write_page(const scenarios::Campaign& campaign,
                                    const std::vector<NamedJudgement>& predictions,
                                    const PaperRequest& request, const fs::path& page) {
  std::vector<fs::path> folders;
  for (const CampaignStudies& studies : campaign.studies) {
    folders.push_back(request.out / studies.name);
  }
  results::PaperOptions options;
  if (!campaign.studies.empty()) {
    options.curves.permutations = campaign.studies.front().permutations;
    options.curves.bootstrap = campaign.studies.front().bootstrap;
  }
  options.title = campaign.summary;
  options.figures = campaign.figures;
  options.commands = {command_of(request)};
  const search::StudySet set = search::read_study_set(folders);
  return results::write_page(results::paper_document(set, predictions, page, options), page);
}

nlohmann::ordered_json predictions_json(const std::vector<NamedJudgement>& predictions) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const NamedJudgement& one : predictions) {
    nlohmann::ordered_json item{{"name", one.name}};
    const nlohmann::ordered_json document = results::predict_json(*one.judged);
    for (const auto& [key, value] : document.items()) {
      if (key != "schema" && key != "version") item[key] = value;
    }
    list.push_back(item);
  }
  return list;
}

/// What is left to say once the page and its answer are there.
Reply reply_of(const PaperRequest& request, const PaperAnswer& answer) {
  const fs::path page = request.out / "index.html";
  if (!request.global.json) return answer.text + "\nOpen " + page.string() + " in a browser.\n";
  nlohmann::ordered_json document = nlohmann::ordered_json::parse(answer.document);
  document["page"] = page.string();
  return support::document_text(document);
}

Reply answer(const PaperRequest& request, const results::Screen&) {
  const scenarios::Campaign campaign =
      scenarios::read_campaign(campaign_of(request), results::paper_figures());
  require_paper_folder(request.out, names_of(campaign.studies));
  if (const auto kept = results::kept_answer(request.out, command_of(request))) {
    return reply_of(request, *kept);
  }
  nlohmann::ordered_json studies = nlohmann::ordered_json::array();
  results::Document searched = search_all(campaign, request, studies);
  const support::InterruptionWatch watch({.left = left_in_order(request)});
  const std::vector<PaperPredicted> predicted = predict_all(campaign, request);
  const std::vector<NamedJudgement> predictions = judgements_of(predicted);
  const fs::path page = request.out / "index.html";
  nlohmann::ordered_json document = support::new_document("paper");
  document["studies"] = studies;
  document["predictions"] = predictions_json(predictions);
  {
    const std::unique_ptr<Progress> progress = terminal_progress(request.global.quiet, "pages");
    if (progress != nullptr) progress->show(0, 1);
    document["files"] = write_page(campaign, predictions, request, page);
  }
  searched.add(results::predictions_document(predictions));
  const PaperAnswer made{.document = support::line_text(document),
                         .text = results::terminal_text(searched)};
  results::keep_answer(request.out, command_of(request), made);
  return reply_of(request, made);
}

}  // namespace

Command paper_command() { return command(words::paper, declare_paper, answer); }

}  // namespace cubicbench::cli
