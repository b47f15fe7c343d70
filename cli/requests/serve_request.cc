#include "cli/requests/serve_request.h"

#include "cli/options/readers.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

constexpr int last_turn = 1;

void name_searcher(ServeRequest& request) {
  const std::string name = request.name.value_or(request.mcp ? "agent" : "client");
  request.search.plan.searchers = {search::outside_searcher(name, "--as")};
}

void require_one_scenario(const ServeRequest& request) {
  if (request.mcp || request.search.plan.scenarios.size() < 2) return;
  throw InputError("SCENARIO", "expected one without --mcp, got " +
                                   std::to_string(request.search.plan.scenarios.size()));
}

void declare_study(Options& options, ServeRequest& request) {
  search::SearchPlan& plan = request.search.plan;
  options
      .arguments("SCENARIO", "Names from the library, or paths with a '/'; several with\n--mcp",
                 plan.scenarios,
                 [&request](const std::string& name, const std::string&) {
                   return sealed_scenario(request.search, name);
                 })
      .required(
          "expected a SCENARIO; see cubicbench serve --help", [] { return true; }, "serve")
      .check([&request] { require_one_scenario(request); });
  options.flag("--mcp", "Speak the Model Context Protocol, for agents", request.mcp);
  options
      .flag("--reveal",
            "With --mcp: tell the true values of the recommendations\nonce every study is closed",
            request.reveal)
      .check([&request] {
        if (request.reveal && !request.mcp) throw InputError("--reveal", "expected --mcp with it");
      });
  options.value(
      "--trials", "N",
      "Launches per study, including failed ones and retries\n(default: the scenario's budget)",
      plan.trials, Integer{1, scenarios::trials_max});
  options.value("--seed", "S", "Seed of the study (default: 0)", plan.first_seed, any_index);
  options.value("--instance", "K",
                "Instance: 0 (default) has the nominal hidden constants,\nothers draw theirs "
                "within the stated spread",
                plan.first_instance, any_index);
  options
      .value("--as", "NAME", "Name of the client in reports (default: client, with\n--mcp agent)",
             request.name)
      .in_turn(last_turn);
  options.check(last_turn, [&request] { name_searcher(request); });
}

}  // namespace

void declare_serve(Options& options, ServeRequest& request) {
  request.search.plan.start = search::Start::baseline;
  declare_study(options, request);
  declare_seal(options, request.search);
  declare_told(options, request.search);
  declare_warm_start(options, request.search);
  declare_folder(options, request.search.run);
}

}  // namespace cubicbench::cli
