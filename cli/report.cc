#include "results/searches/report.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "results/document/html.h"
#include "search/finished/study_set.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;

struct ReportAsked {
  std::vector<fs::path> folders;
  fs::path out;
  results::CurveOptions curves;
  std::vector<std::string> optima;  ///< files
  GlobalOptions global;
};

void declare_report(Options& options, ReportAsked& asked) {
  constexpr std::int64_t permutations_max = 1'000'000;
  constexpr FileEnding page{".html"};
  options.arguments("DIR", "Folders that search --out wrote, finished or not", asked.folders);
  options
      .value("--out", "FILE.html",
             "Where the page goes; figures and their numbers\nstand beside it. Folders are made",
             asked.out,
             [page](const std::string& text, const std::string& where) {
               if (fs::path(text).stem() == ".html") page.refuse(text, where);
               return page(text, where);
             })
      .required(page.missing())
      .writes(Output::file_with_folder);
  options.flag(
      "--hide-failures",
      "Neither plot nor count failed jobs, as the paper\ndoes; tables and the CSV still have them",
      asked.curves.hide_failures);
  options.value("--permutations", "N",
                "Random orders that random search is averaged over,\nas in the paper (default: "
                "its exact mean, or 100 where\nthe space is not known)",
                asked.curves.permutations, Integer{1, permutations_max});
  options.values("--optimum", "FILE.json",
                 "What enumerate says of a searched scenario, for regret;\nmay be given often. "
                 "Small spaces and references that\nship need none",
                 asked.optima);
}

/// The enumerations that were named, each of a problem that was searched.
results::GivenSpaces spaces_of(const ReportAsked& asked, const search::StudySet& set) {
  Problems problems;
  results::GivenSpaces given;
  for (const std::string& file : asked.optima) {
    gathered(problems,
             [&] { given.push_back({.space = datasets::read_enumeration(file), .file = file}); });
  }
  support::throw_if_any(problems);
  require_use(given, set);
  return given;
}

std::string json_text(const search::StudySet& set,
                      const std::vector<results::SearchedProblem>& problems,
                      const std::vector<std::string>& files) {
  nlohmann::ordered_json document = support::new_document("report");
  document["files"] = files;
  document["studies"] = set.studies.size();
  document["notes"] = set.notes;
  document["problems"] = results::problems_json(problems);
  return support::document_text(document);
}

std::string plain_text(const fs::path& out, const search::StudySet& set,
                       const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& note : set.notes) text += note + "\n";
  for (const std::string& file : files) text += (out.parent_path() / file).string() + "\n";
  return text;
}

Reply answer(const ReportAsked& asked, const results::Screen&) {
  if (asked.folders.empty()) {
    throw InputError("report", "expected the folder of a search; see cubicbench report --help");
  }
  const search::StudySet set = search::read_study_set(asked.folders);
  results::ReportOptions options;
  options.curves = asked.curves;
  options.given = spaces_of(asked, set);
  const auto problems = results::searched_problems(set, options.given, options.curves);
  const std::vector<std::string> files =
      results::write_page(results::report_document(set, problems, asked.out, options), asked.out);
  return asked.global.json ? json_text(set, problems, files) : plain_text(asked.out, set, files);
}

}  // namespace

Command report_command() { return command(words::report, declare_report, answer); }

}  // namespace cubicbench::cli
