#include "cli/requests/enumeration_request.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <span>
#include <system_error>

#include "cli/options/readers.h"
#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/shard.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/number_text.h"
#include "search/backends/backend_factory.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;

/// Larger spaces are searched by bounds, unless all is asked for.
constexpr std::uint64_t exhaustive_max = 1'000'000'000;
/// What a table may hold.
constexpr std::uint64_t table_rows_max = 2'000'000;

bool are_one_file(const std::string& one, const std::string& other) {
  const auto whole = [](const std::string& path) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return whole(one) == whole(other);
}

void check_table(const EnumerationRequest& request, Problems& problems) {
  if (!request.table) return;
  const std::string& table = *request.table;
  if (request.shard) problems.push_back({"--table", "expected without --shard"});
  if (request.out && are_one_file(*request.out, table)) {
    problems.push_back({"--table", "expected another file than --out, got " + in_quotes(table)});
  }
}

void check_together(const EnumerationRequest& request, Problems& problems) {
  const std::uint64_t count = request.scenario.space.count();
  const bool by_bounds = goes_by_bounds(request);
  if (request.scenario.measured && request.instance != 0) {
    problems.push_back({"--instance", "expected 0 with a table of runs, which hides no constants"});
  }
  if (request.all && request.optimum_only) {
    problems.push_back({"--all", "expected without --optimum-only"});
  }
  if (request.sketch && by_bounds && problems.empty()) {
    problems.push_back({"--sketch", "expected where all is valued, got a search by bounds"});
  }
  if (request.shard && request.optimum_only) {
    problems.push_back({"--shard", "expected without --optimum-only"});
  }
  if (request.shard && !request.out && problems.empty()) {
    problems.push_back({"--shard", "expected with --out FILE.json, which merge reads"});
  }
  if (request.shard && request.page) problems.push_back({"--page", "expected without --shard"});
  check_table(request, problems);
  if (request.limit && !by_bounds && problems.empty()) {
    problems.push_back({"--limit", "expected with --optimum-only, or a space of more than " +
                                       results::grouped(exhaustive_max) + " configurations, got " +
                                       results::grouped(count) + " that are all valued"});
  }
  if (request.table && by_bounds) {
    problems.push_back({"--table", "expected where all is valued, got a search by bounds"});
  } else if (request.table && count > table_rows_max) {
    problems.push_back({"--table", "expected at most " + results::grouped(table_rows_max) +
                                       " configurations, got " + results::grouped(count)});
  }
}

/// Reads the scenario, and sees whether what is asked of it goes together.
void read_scenario(EnumerationRequest& request) {
  Problems problems;
  const auto seal =
      gathered(problems, [&] { return seal_of(request.salt, request.name, request.instance); });
  request.scenario = gathered(problems, [&] {
    scenarios::Scenario scenario = datasets::read_scenario(request.name, request.sets, seal);
    if (scenario.space.count() > 0) return scenario;
    throw InputError(request.name + "#/space/constraints",
                     "expected a configuration that they allow, got none");
  });
  request.scenario.seal = seal;
  if (problems.empty()) check_together(request, problems);
  support::throw_if_any(problems);
}

}  // namespace

void declare_enumeration(Options& options, EnumerationRequest& request) {
  constexpr Integer any_count{1, std::numeric_limits<std::int64_t>::max()};
  constexpr int last = 1;
  declare_scenario(options, request.name);
  declare_instance(options, request.instance);
  declare_salt(options, request.salt);
  declare_set(options, "the baseline", request.sets);
  options.value("--out", "FILE.json", "File of the result", request.out).writes([&request] {
    return request.shard ? Output::file_and_values : Output::file;
  });
  options
      .value("--table", "FILE.csv",
             "Write every configuration with its value, of at most\n2,000,000", request.table)
      .writes(Output::file);
  declare_page(options, request.page, "--page");
  options.value("--best-of", "N",
                "The best of 1 to N random draws (default: the trials of\nthe scenario's budget)",
                request.best_of, Integer{1, datasets::k_limit});
  options
      .value("--shard", "I/N", "Evaluate the I-th of N parts; cubicbench merge joins\nthem",
             request.shard, search::parse_shard)
      .in_turn(last);
  options.flag("--all",
               "Value every configuration of a space of more than 10^9,\nwhose optimum alone is "
               "certified otherwise",
               request.all);
  options.flag(
      "--sketch",
      "Round values to 12 binary digits before counting them:\nquantiles are at most 0.025 % "
      "worse, and the files of\nshards stay small however large the space is",
      request.sketch);
  options.flag("--optimum-only", "Only certify the optimum, by branch and bound",
               request.optimum_only);
  options.value("--limit", "N",
                "Stop branch and bound after N evaluations, and report\nhow good the rest can be",
                request.limit, any_count);
  options.check(last, [&request] { read_scenario(request); });
}

results::AskedProblem problem_of(const EnumerationRequest& request) {
  return {.scenario = request.name,
          .instance = request.instance,
          .salt = request.salt.value_or(""),
          .sets = request.sets};
}

std::string command_of(const EnumerationRequest& request) {
  std::string command = "cubicbench enumerate " + results::shell_word(request.name);
  if (request.instance != 0) command += " --instance " + std::to_string(request.instance);
  if (request.salt) command += " --salt " + results::shell_word(*request.salt);
  for (const std::string& set : request.sets) command += " --set " + results::shell_word(set);
  if (request.best_of) command += " --best-of " + std::to_string(*request.best_of);
  if (request.all) command += " --all";
  if (request.sketch) command += " --sketch";
  if (request.optimum_only) command += " --optimum-only";
  if (request.limit) command += " --limit " + std::to_string(*request.limit);
  return command + " --page DIR";
}

bool goes_by_bounds(const EnumerationRequest& request) {
  const bool is_large = request.scenario.space.count() > exhaustive_max;
  return request.optimum_only || (is_large && !request.all && !request.shard);
}

datasets::NumberRange part_of(const EnumerationRequest& request) {
  const std::uint64_t all = request.scenario.space.count();
  if (!request.shard) return {.first = 0, .count = all};
  return datasets::range_of_shard(all, request.shard->index, request.shard->of);
}

std::string truth_of(const EnumerationRequest& request) {
  const std::string backend = search::usual_backend(std::span(&request.scenario, 1));
  return search::searched_sha256(search::parse_backend(backend, "--backend"), request.scenario,
                                 request.instance);
}

std::optional<datasets::ValueSketch> sketch_of(const EnumerationRequest& request,
                                               const datasets::Enumeration& head) {
  if (!request.sketch) return std::nullopt;
  return datasets::ValueSketch(head.objective.direction, head.baseline.value);
}

bool simulates_random_search(const EnumerationRequest& request) {
  return !goes_by_bounds(request) && (!request.shard || request.shard->index == 1);
}

std::int64_t k_max_of(const EnumerationRequest& request) {
  return request.best_of.value_or(std::min(request.scenario.budget.trials, datasets::k_limit));
}

}  // namespace cubicbench::cli
