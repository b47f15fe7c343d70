#include "cli/requests/paper_request.h"

#include <algorithm>
#include <system_error>

#include "cli/options/readers.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::shortened;

constexpr const char* new_or_of_paper = "a new or empty folder, or one that paper made";

}  // namespace

void declare_paper(Options& options, PaperRequest& request) {
  options
      .value("--out", "DIR",
             "Folder of the results (default: out/paper, of the full\nones out/paper-full); "
             "one that is there is completed",
             request.out, Filled{"DIR"})
      .check([&request] {
        if (request.out.empty()) request.out = request.full ? "out/paper-full" : "out/paper";
      });
  options.flag("--full", "The paper's long protocols: more trials, seeds and\nrepeats",
               request.full);
  options.value("--trials", "N", "Launches per study, for a quicker look (default: the\npaper's)",
                request.trials, Integer{1, scenarios::trials_max});
  options.value("--seeds", "K", "Seeds per searcher (default: the paper's)", request.seeds,
                Integer{1, scenarios::seeds_max});
  options.value("--repeats", "K", "Repeats per prediction (default: the paper's)", request.repeats,
                Integer{1, scenarios::repeats_max});
}

std::string campaign_of(const PaperRequest& request) {
  return request.full ? "paper-full" : "paper";
}

std::string command_of(const PaperRequest& request) {
  std::string command = std::string("cubicbench paper") + (request.full ? " --full" : "");
  if (request.trials) command += " --trials " + std::to_string(*request.trials);
  if (request.seeds) command += " --seeds " + std::to_string(*request.seeds);
  if (request.repeats) command += " --repeats " + std::to_string(*request.repeats);
  return command;
}

std::string left_in_order(const PaperRequest& request) {
  return shortened(request.out.string()) + " is in order: the same command continues";
}

void require_paper_folder(const fs::path& folder, const std::set<std::string>& studies) {
  const std::string where = "--out";
  const std::set<std::string> names = support::names_in(folder, where, new_or_of_paper);
  std::error_code ignored;
  if (names.contains("plan.json")) {
    // Pages of several searches lie above their folders, never in one of them.
    throw InputError(where, "expected a folder of its own, got " + shortened(folder.string()) +
                                ", which holds the plan.json of a search");
  }
  const bool has_study = std::ranges::any_of(studies, [&](const std::string& study) {
    return fs::exists(folder / study / "plan.json", ignored);
  });
  for (const std::string& name : names) {
    // A page without its studies is somebody else's.
    const bool is_page = has_study && name.starts_with("index.");
    const bool is_study = studies.contains(name) && fs::is_directory(folder / name, ignored);
    if (is_page || is_study) continue;
    throw InputError(
        where, std::string("expected ") + new_or_of_paper + ", got one with " + in_quotes(name));
  }
}

}  // namespace cubicbench::cli
