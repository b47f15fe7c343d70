#include "cli/requests/search_request.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "cli/options/readers.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/campaign_reader.h"
#include "scenarios/readers/suite_reader.h"
#include "search/backends/backend_factory.h"
#include "search/finished/known_launches.h"
#include "search/folder/plan_reader.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

constexpr int before_scenarios_are_read = -2;
constexpr int before_the_plan_is_changed = -1;
constexpr int last = 1;
constexpr int after_all = 2;  // the scenarios have their seal

constexpr std::int64_t client_timeout_max = 86'400;

void decide_backend(SearchRequest& request) {
  search::SearchPlan& plan = request.plan;
  if (!request.planned) plan.backend = search::usual_backend(plan.scenarios);
  plan.backend = request.backend.value_or(plan.backend);
  search::parse_backend(plan.backend, "--backend");
}

/// A pipe can be read only once.
std::shared_ptr<const scenarios::Seal> seal_read_once(const SearchRequest& request) {
  if (!request.seal) request.seal = seal_of(request.salt);
  return request.seal;
}

/// Seals what the plan searches. A planned search that is sealed keeps the hash that it had:
/// whoever brings no salt or another one is told by the check of the plan.
void seal(SearchRequest& request) {
  const auto seal = seal_read_once(request);
  if (!seal) return;
  if (request.plan.salt_sha256.empty()) request.plan.salt_sha256 = seal->salt_sha256();
  for (scenarios::Scenario& scenario : request.plan.scenarios) scenario.seal = seal;
}

/// The salt of family members. An invalid salt file is reported once, by seal().
std::shared_ptr<const scenarios::Seal> seal_of_members(const SearchRequest& request) {
  Problems said_later;
  return gathered(said_later, [&] { return seal_read_once(request); });
}

/// The suite's problems, those that the salt seals where there is one.
void read_problems(SearchRequest& request) {
  if (!request.suite) return;
  search::SearchPlan& plan = request.plan;
  if (request.planned || !plan.scenarios.empty()) {
    throw InputError("--suite", std::string("expected no ") +
                                    (request.planned ? "--plan" : "SCENARIO") +
                                    " beside it, whose problems are those of the suite");
  }
  const scenarios::Suite suite = scenarios::read_suite(*request.suite, "--suite");
  const auto seal = seal_of_members(request);
  if (seal && suite.sealed.empty()) {
    throw InputError("--suite", "expected no --salt: " + suite.name + " has no sealed problems");
  }
  Problems problems;
  for (const scenarios::SuiteProblem& problem : seal ? suite.sealed : suite.problems) {
    gathered(problems, [&] {
      plan.scenarios.push_back(datasets::read_scenario(problem.scenario, {}, seal));
      plan.scenarios.back().budget.trials = problem.trials;
      return 0;
    });
  }
  support::throw_if_any(problems);
  plan.suite = suite.name;
  plan.seeds = request.seeds.value_or(suite.seeds);
}

void declare_studies(Options& options, SearchRequest& request) {
  search::SearchPlan& plan = request.plan;
  const auto scenario = [&request](const std::string& name, const std::string&) {
    return sealed_scenario(request, name);
  };
  const auto planned = [&request](const std::string& file, const std::string&) {
    request.planned = true;
    return search::read_plan(file, seal_of_members(request));
  };
  options
      .arguments("SCENARIO", "Names from the library, or paths with a '/'", plan.scenarios,
                 scenario)
      .required(
          "expected a SCENARIO; see cubicbench search --help",
          [&request] { return !request.planned && !request.suite; }, "search");
  options
      .value("--suite", "NAME",
             "The problems of a suite with their budgets and seeds;\nwith --salt its sealed ones; "
             "see cubicbench list suites",
             request.suite)
      .in_turn(before_the_plan_is_changed)
      .check([&request] { read_problems(request); });
  Option& searchers = options.values(
      "--searcher", "NAME[,..]",
      "Searchers, with options as in evolution:sample=10, or a\nprogram as external:CMD; see "
      "cubicbench list searchers",
      plan.searchers, search::parse_searcher);
  searchers.read = [read = std::move(searchers.read)](const Values& lists) {
    Values words;
    for (const std::string& list : lists) {
      std::ranges::copy(search::searcher_words(list), std::back_inserter(words));
    }
    read(words);
  };
  searchers.listed().required("expected NAME[,NAME...], got nothing; see cubicbench list searchers",
                              [&request] { return !request.planned; });
  options
      .value("--plan", "FILE", "Take missing options from this plan.json of another\nsearch", plan,
             planned)
      .in_turn(before_the_plan_is_changed);
  options.value(
      "--trials", "N",
      "Launches per study, including failed ones and retries\n(default: the scenario's budget)",
      plan.trials, Integer{1, scenarios::trials_max});
  options
      .value("--seeds", "K", "Seeds 0..K-1 for each searcher (default: 1, or those of\nthe suite)",
             request.seeds, Integer{1, scenarios::seeds_max})
      .check([&request] { request.plan.seeds = request.seeds.value_or(request.plan.seeds); });
  options.value("--first-seed", "N", "Use seeds N..N+K-1 instead", plan.first_seed, any_index);
  options.value("--instances", "K",
                "Instances 0..K-1 of each scenario: 0 has the nominal\nconstants, others draw "
                "the hidden ones (default: 1)",
                plan.instances, Integer{1, scenarios::instances_max});
}

void declare_course(Options& options, SearchRequest& request) {
  search::SearchPlan& plan = request.plan;
  declare_seal(options, request);
  options.value("--slots", "W", "Launches to run concurrently (default: 1)", plan.slots,
                Integer{1, scenarios::slots_max});
  declare_told(options, request);
  options
      .value("--client-timeout", "S",
             "Seconds to wait for an answer of an external searcher\n(default: 60)",
             request.client_timeout_s, Integer{1, client_timeout_max})
      .check([&request] {
        request.run.client_timeout = std::chrono::seconds(request.client_timeout_s);
      });
  declare_warm_start(options, request);
  options
      .value("--shard", "I/N",
             "Run only the I-th of N parts of the studies, for N\nmachines; join them with "
             "cubicbench merge (default: 1/1)",
             plan.shard, search::parse_shard)
      .in_turn(last);
}

}  // namespace

void declare_seal(Options& options, SearchRequest& request) {
  declare_salt(options, request.salt).in_turn(before_scenarios_are_read);
  options.check(last, [&request] { seal(request); });
}

scenarios::Scenario sealed_scenario(const SearchRequest& request, const std::string& name) {
  return datasets::read_scenario(name, {}, seal_of_members(request));
}

void declare_told(Options& options, SearchRequest& request) {
  search::SearchPlan& plan = request.plan;
  options
      .value("--telling", "M",
             "What searchers are told about a failure: drop, worst,\npenalty, reason (default) or "
             "bytes",
             plan.telling, search::parse_telling)
      .offers(search::telling_names());
  options
      .value("--start", "S",
             "baseline (default): trial 0 is the scenario's baseline,\nlaunched and charged like "
             "any other; none: the searcher\nproposes trial 0",
             plan.start, search::parse_start)
      .offers(search::start_names());
  options.flag("--permute",
               "Show each searcher parameters and categories in an order\ndrawn from its seed, so "
               "that their order carries no\ninformation",
               plan.permute);
  options
      .value("--backend", "B",
             "simulator or table (measured runs), each the default of\nits scenarios; recorded:DIR "
             "replays the search in DIR;\ncommand:CMD runs CMD per launch; slurm:TEMPLATE "
             "submits\nthat script",
             request.backend)
      .check([&request] { decide_backend(request); });
}

void declare_warm_start(Options& options, SearchRequest& request) {
  options.values("--warm-start", "FOLDER",
                 "Tell searchers the outcomes of an earlier search, of a\ntable of runs or of logs "
                 "before their first proposal;\nmay be repeated",
                 request.warm_start, Filled{"FOLDER"});
  options.check(after_all, [&request] {
    request.notes = search::warm_start(request.plan, request.warm_start);
  });
}

void declare_folder(Options& options, search::SearchRun& run) {
  options
      .value("--out", "DIR", "Folder of the search: new, empty, or see --resume", run.out,
             Filled{"DIR"})
      .in_turn(last)
      .required("expected DIR, got nothing");
  options.flag("--resume", "Continue the search in DIR; start it if DIR is missing", run.resume);
  options.flag("--sync", "Flush every launch to the disk before going on", run.sync);
}

void declare_search(Options& options, SearchRequest& request) {
  request.plan.start = search::Start::baseline;  // a plan that says nothing of it is of before
  declare_studies(options, request);
  declare_course(options, request);
  declare_folder(options, request.run);
}

}  // namespace cubicbench::cli
