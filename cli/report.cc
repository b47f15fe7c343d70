#include "results/searches/report.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "results/document/html.h"
#include "results/enumeration/enumeration_json.h"
#include "results/studies/study_set.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;

void declare(CLI::App& app) {
  declare_positionals(app, "DIR", "Folders that search --out wrote, finished or not");
  declare_value(
      app, "--out", "FILE.html",
      "Where the page goes; figures and their numbers\nstand beside it. Folders are made");
  declare_flag(
      app, "--hide-failures",
      "Neither plot nor count failed jobs, as the paper\ndoes; tables and the CSV still have them");
  declare_value(app, "--permutations", "N",
                "Random orders that random search is averaged over,\nas in the paper (default: "
                "its exact mean, or 100 where\nthe space is not known)");
  declare_value(app, "--optimum", "FILE.json",
                "What enumerate says of a searched scenario, for regret;\nmay be given often. "
                "Small spaces and references that\nship need none");
}

fs::path out_of(const CLI::App& app) {
  const std::string out = value_of(app, "--out").value_or("");
  if (!out.ends_with(".html") || fs::path(out).stem().empty() || fs::path(out).stem() == ".html") {
    throw InputError("--out", "expected a file name that ends in .html, got " +
                                  (out.empty() ? std::string("nothing")
                                               : "\"" + support::shortened(out) + "\""));
  }
  return out;
}

/// The enumerations that were named, each of a problem that was searched.
results::GivenSpaces spaces_of(const CLI::App& app, const results::StudySet& set) {
  std::vector<support::Problem> problems;
  results::GivenSpaces given;
  for (const std::string& file : values_of(app, "--optimum")) {
    gathered(problems, [&] {
      given.push_back({.space = results::read_enumeration(file), .file = file});
      return 0;
    });
  }
  support::throw_if_any(problems);
  require_use(given, set);
  return given;
}

std::string json_text(const results::StudySet& set,
                      const std::vector<results::SearchedProblem>& problems,
                      const std::vector<std::string>& files) {
  nlohmann::ordered_json document = support::new_document("report");
  document["files"] = files;
  document["studies"] = set.studies.size();
  document["notes"] = set.notes;
  document["problems"] = results::problems_json(problems);
  return support::document_text(document);
}

std::string plain_text(const fs::path& out, const results::StudySet& set,
                       const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& note : set.notes) text += note + "\n";
  for (const std::string& file : files) text += (out.parent_path() / file).string() + "\n";
  return text;
}

Reply answer(const CLI::App& app, results::Ink) {
  const GlobalOptions global = global_options(app);
  constexpr std::int64_t permutations_max = 1'000'000;
  const fs::path out = out_of(app);
  results::ReportOptions options;
  options.curves.hide_failures = app.count("--hide-failures") > 0;
  options.curves.permutations = integer_of(app, "--permutations", 1, permutations_max);
  std::vector<fs::path> folders;
  for (const std::string& folder : values_of(app, "DIR")) folders.emplace_back(folder);
  if (folders.empty()) {
    throw InputError("report", "expected the folder of a search; see cubicbench report --help");
  }
  const results::StudySet set = results::read_study_set(folders);
  options.given = spaces_of(app, set);
  const auto problems = results::searched_problems(set, options.given, options.curves);
  const std::vector<std::string> files =
      results::write_page(results::report_document(set, problems, out, options), out);
  if (global.json) return json_text(set, problems, files);
  return plain_text(out, set, files);
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .summary = "One page with the curves and tables of finished searches",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
