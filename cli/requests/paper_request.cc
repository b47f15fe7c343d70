#include "cli/requests/paper_request.h"

#include "cli/options/readers.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/input_error.h"

namespace cubicbench::cli {

void declare_paper(Options& options, PaperRequest& request) {
  options
      .value("--out", "DIR",
             "Folder of the results (default: out/paper, of the full\nones out/paper-full); "
             "one that is there is completed",
             request.out, Filled{"DIR"})
      .check([&request] {
        if (request.out.empty()) request.out = request.full ? "out/paper-full" : "out/paper";
      });
  options.flag("--full", "The long protocols: more trials, seeds and repeats", request.full);
  options.value("--trials", "N", "Launches a study, for a quicker look (default: the\npaper's)",
                request.trials, Integer{1, scenarios::trials_max});
  options.value("--seeds", "K", "Seeds a searcher, likewise", request.seeds,
                Integer{1, scenarios::seeds_max});
  options.value("--repeats", "K", "Repeats a prediction, likewise", request.repeats,
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
  return support::shortened(request.out.string()) + " is in order: the same command continues";
}

}  // namespace cubicbench::cli
