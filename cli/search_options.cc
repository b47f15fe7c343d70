#include "cli/search_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/problems.h"
#include "cli/salt_option.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/campaign_reader.h"
#include "search/backends/backend_factory.h"
#include "search/folder/plan_reader.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;
using support::Problem;
using Problems = std::vector<Problem>;

void check_backend(const std::string& backend) {
  if (backend.substr(0, backend.find(':')) == "slurm") {
    throw InputError("--backend", "the slurm backend is not part of this version");
  }
  search::parse_backend(backend, "--backend");
}

void read_shard(const CLI::App& app, search::SearchPlan& plan) {
  if (const auto text = value_of(app, "--shard")) {
    plan.shard = search::parse_shard(*text, "--shard");
  }
}

/// `planned`: a file says what was not given.
void read_scenarios(const CLI::App& app, bool planned, search::SearchPlan& plan,
                    Problems& problems) {
  const std::vector<std::string> names = values_of(app, "SCENARIO");
  std::vector<scenarios::Scenario> read;
  for (const std::string& name : names) {
    const std::size_t before = problems.size();
    scenarios::Scenario scenario =
        gathered(problems, [&] { return datasets::read_scenario(name); });
    if (problems.size() == before) {
      read.push_back(std::move(scenario));
    }
  }
  if (!names.empty()) {
    plan.scenarios = std::move(read);
  } else if (!planned) {
    problems.push_back({"search", "expected a SCENARIO; see cubicbench search --help"});
  }
}

void read_searchers(const CLI::App& app, bool planned, search::SearchPlan& plan,
                    Problems& problems) {
  const std::vector<std::string> names = words_of(app, "--searcher");
  std::vector<search::SearcherSpec> read;
  for (const std::string& name : names) {
    read.push_back(gathered(problems, [&] { return search::parse_searcher(name, "--searcher"); }));
  }
  if (!names.empty()) {
    plan.searchers = std::move(read);
  } else if (!planned) {
    problems.push_back(
        {"--searcher", "expected NAME[,NAME...], got nothing; see cubicbench list searchers"});
  }
}

void read_counts(const CLI::App& app, search::SearchPlan& plan, Problems& problems) {
  const auto count = [&](const char* name, std::int64_t max) {
    return gathered(problems, [&] { return integer_of(app, name, 1, max); });
  };
  if (const auto trials = count("--trials", scenarios::trials_max)) plan.trials = trials;
  plan.seeds = count("--seeds", scenarios::seeds_max).value_or(plan.seeds);
  plan.instances = count("--instances", scenarios::instances_max).value_or(plan.instances);
  plan.slots = count("--slots", scenarios::slots_max).value_or(plan.slots);
}

/// `planned`: a file says what was not given.
void read_how(const CLI::App& app, bool planned, search::SearchPlan& plan, Problems& problems) {
  plan.telling = gathered(problems, [&] {
    const auto name = value_of(app, "--telling");
    return name ? search::parse_telling(*name, "--telling") : plan.telling;
  });
  plan.permute = plan.permute || app.count("--permute") > 0;
  plan.backend = gathered(problems, [&] {
    const std::string usual = planned ? plan.backend : search::usual_backend(plan.scenarios);
    std::string backend = value_of(app, "--backend").value_or(usual);
    check_backend(backend);
    return backend;
  });
}

/// Seals what the plan searches. A planned search that is sealed keeps the hash that it had:
/// whoever brings no salt or another one is told by the check of the plan.
void read_salt(const CLI::App& app, search::SearchPlan& plan, Problems& problems) {
  const auto seal = gathered(problems, [&] { return seal_of(app); });
  if (!seal) return;
  if (plan.salt_sha256.empty()) plan.salt_sha256 = seal->salt_sha256();
  for (scenarios::Scenario& scenario : plan.scenarios) scenario.seal = seal;
}

search::SearchRun read_run(const CLI::App& app, Problems& problems) {
  search::SearchRun run;
  run.resume = app.count("--resume") > 0;
  run.sync = app.count("--sync") > 0;
  run.out = gathered(problems, [&] {
    const std::string out = value_of(app, "--out").value_or("");
    if (out.empty()) {
      throw InputError("--out", std::string("expected DIR, got ") +
                                    (app.count("--out") > 0 ? "\"\"" : "nothing"));
    }
    return std::filesystem::path(out);
  });
  return run;
}

}  // namespace

void declare_search_options(CLI::App& app) {
  declare_positionals(app, "SCENARIO", "Names from the library, or paths with a '/'");
  declare_value(
      app, "--searcher", "NAME[,..]",
      "Searchers, with options as in evolution:sample=10;\nsee cubicbench list searchers");
  declare_value(app, "--plan", "FILE",
                "Take what is not given from this plan.json of another\nsearch");
  declare_value(app, "--trials", "N",
                "Launches a study may use, failed ones and retries\nincluded (default: the "
                "scenario's budget)");
  declare_value(app, "--seeds", "K", "Seeds 0..K-1 of each searcher (default: 1)");
  declare_value(app, "--instances", "K",
                "Instances 0..K-1 of each scenario: 0 has the nominal\nconstants, others draw "
                "the hidden ones (default: 1)");
  declare_salt(app);
  declare_value(app, "--slots", "W", "Launches that run at a time (default: 1)");
  declare_value(app, "--telling", "M",
                "What a searcher is told of a failure: drop, worst,\npenalty, reason (default) or "
                "bytes");
  declare_flag(app, "--permute",
               "Show each searcher categories and parameters in an order\nof its seed, so that the "
               "scenario's order says nothing");
  declare_value(app, "--backend", "B",
                "simulator, table (played runs; each the default of its\nscenarios), or "
                "command:CMD, which runs CMD once a launch");
  declare_value(app, "--shard", "I/N",
                "Only the I-th of N parts of the studies, for N machines;\nsee cubicbench merge "
                "(default: 1/1, all)");
  declare_value(app, "--out", "DIR", "Folder of the search: new, empty, or see --resume");
  declare_flag(app, "--resume",
               "Continue the search in DIR; a finished one is left as\nit is, a missing one begun");
  declare_flag(app, "--sync", "Flush every launch to the disk before going on");
}

SearchRequest search_request(const CLI::App& app) {
  Problems problems;
  SearchRequest request;
  request.global = gathered(problems, [&] { return global_options(app); });
  const bool planned = app.count("--plan") > 0;
  request.plan = gathered(problems, [&] {
    const std::optional<std::string> file = value_of(app, "--plan");
    return file ? search::read_plan(*file) : search::SearchPlan{};
  });
  read_scenarios(app, planned, request.plan, problems);
  read_searchers(app, planned, request.plan, problems);
  read_counts(app, request.plan, problems);
  read_how(app, planned, request.plan, problems);
  read_salt(app, request.plan, problems);
  gathered(problems, [&] { return read_shard(app, request.plan), true; });
  request.run = read_run(app, problems);
  request.run.threads = static_cast<int>(request.global.threads);
  support::throw_if_any(problems);
  return request;
}

}  // namespace cubicbench::cli
