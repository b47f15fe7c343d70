#include "datasets/exhaustive/enumerate.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "cli/progress.h"
#include "cli/salt_option.h"
#include "cli/watched_prediction.h"
#include "datasets/exhaustive/branch_and_bound.h"
#include "datasets/exhaustive/configuration_table.h"
#include "datasets/exhaustive/shard.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/number_text.h"
#include "results/document/terminal.h"
#include "results/enumeration/enumeration_document.h"
#include "results/enumeration/enumeration_json.h"
#include "search/backends/backend_factory.h"
#include "search/folder/shard.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using datasets::Enumeration;
using scenarios::TrueValue;
using support::InputError;
using Problems = std::vector<support::Problem>;

/// Larger spaces are searched by bounds, unless all is asked for.
constexpr std::uint64_t exhaustive_max = 1'000'000'000;
/// What a table may hold.
constexpr std::uint64_t table_rows_max = 2'000'000;
constexpr std::int64_t instance_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();
constexpr const char* left = "nothing was written";

/// What the command line asks for.
struct Asked {
  std::string name;
  std::vector<std::string> sets;
  scenarios::Scenario scenario;
  std::uint64_t instance = 0;
  std::string salt;
  std::int64_t k_max = 1;
  std::optional<search::Shard> shard;
  std::optional<std::string> out;
  std::optional<std::string> table;
  std::optional<std::uint64_t> limit;
  bool by_bounds = false;
  GlobalOptions global;
};

void declare(CLI::App& app) {
  declare_positional(app, "SCENARIO", "A name from the library, or a path with a '/'")->required();
  declare_value(app, "--instance", "K",
                "Which hidden constants: 0 (default) has the nominal\nones, others draw them "
                "within their spread");
  declare_salt(app);
  declare_value(app, "--set", "NAME=VALUE",
                "Change the baseline, or a field of the problem such as\ncluster.gpus=8192; may "
                "be given many times");
  declare_value(app, "--out", "FILE.json", "Where the result is written");
  declare_value(app, "--table", "FILE.csv",
                "Write every configuration with its value, of at most\n2,000,000");
  declare_value(app, "--best-of", "N",
                "The best of 1 to N random draws (default: the trials of\nthe scenario's budget)");
  declare_value(app, "--shard", "I/N", "Value the I-th of N parts; merge makes one of all");
  declare_flag(app, "--all",
               "Value every configuration of a space of more than 10^9,\nwhose optimum alone is "
               "certified otherwise");
  declare_flag(app, "--optimum-only", "Certify the optimum alone, by bounds, of any space");
  declare_value(app, "--limit", "N",
                "Stop the search by bounds after N values, and say how\ngood the rest can be");
}

/// A file whose folder is there. Said before hours of work.
std::optional<std::string> read_output(const CLI::App& app, const std::string& option) {
  std::optional<std::string> path = value_of(app, option);
  if (!path) return path;
  if (path->empty() || !fs::path(*path).has_filename()) {
    throw InputError(option,
                     "expected the path of a file, got \"" + support::shortened(*path) + "\"");
  }
  const fs::path folder = fs::path(*path).has_parent_path() ? fs::path(*path).parent_path() : ".";
  std::error_code ignored;
  if (fs::is_directory(*path, ignored)) {
    throw support::OutputError("cannot write " + *path + ": it is a folder");
  }
  if (!fs::is_directory(folder, ignored) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw support::OutputError("cannot write " + *path + ": " + folder.string() +
                               " is no folder that can be written");
  }
  return path;
}

/// Is `one` the file `other`, or what that is called until it is complete?
bool takes_place_of(const std::string& one, const std::string& other) {
  const auto whole = [](const std::string& path) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return whole(one) == whole(other) || whole(one) == whole(other + ".tmp");
}

void check_together(const CLI::App& app, Asked& asked, Problems& problems) {
  const std::uint64_t count = asked.scenario.space.count();
  const bool all = app.count("--all") > 0;
  const bool optimum_only = app.count("--optimum-only") > 0;
  asked.by_bounds = optimum_only || (count > exhaustive_max && !all && !asked.shard);
  if (asked.scenario.measured && asked.instance != 0) {
    problems.push_back({"--instance", "expected 0 with a table of runs, which hides no constants"});
  }
  if (all && optimum_only) problems.push_back({"--all", "expected without --optimum-only"});
  if (asked.shard && optimum_only)
    problems.push_back({"--shard", "expected without --optimum-only"});
  if (asked.shard && !asked.out && problems.empty()) {
    problems.push_back({"--shard", "expected with --out FILE.json, which merge reads"});
  }
  if (asked.shard && asked.table) problems.push_back({"--table", "expected without --shard"});
  if (asked.out && asked.table &&
      (takes_place_of(*asked.out, *asked.table) || takes_place_of(*asked.table, *asked.out))) {
    problems.push_back({"--table", "expected another file than --out and its .tmp, got \"" +
                                       support::shortened(*asked.table) + "\""});
  }
  if (asked.limit && !asked.by_bounds && problems.empty()) {
    problems.push_back({"--limit", "expected with --optimum-only, or a space of more than " +
                                       results::grouped(exhaustive_max) + " configurations, got " +
                                       results::grouped(count) + " that are all valued"});
  }
  if (asked.table && asked.by_bounds) {
    problems.push_back({"--table", "expected where all is valued, got a search by bounds"});
  } else if (asked.table && count > table_rows_max) {
    problems.push_back({"--table", "expected at most " + results::grouped(table_rows_max) +
                                       " configurations, got " + results::grouped(count)});
  }
}

scenarios::Scenario read_space(const std::string& name, const std::vector<std::string>& sets) {
  scenarios::Scenario scenario = datasets::read_scenario(name, sets);
  if (scenario.space.count() == 0) {
    throw InputError(name + "#/space/constraints",
                     "expected a configuration that they allow, got none");
  }
  return scenario;
}

Asked read_asked(const CLI::App& app) {
  Problems problems;
  Asked asked;
  asked.global = gathered(problems, [&] { return global_options(app); });
  asked.name = values_of(app, "SCENARIO").front();
  asked.sets = values_of(app, "--set");
  asked.instance =
      static_cast<std::uint64_t>(gathered(problems, [&] {
                                   return integer_of(app, "--instance", 0, instance_max);
                                 }).value_or(0));
  const std::optional<std::int64_t> k_max =
      gathered(problems, [&] { return integer_of(app, "--best-of", 1, datasets::k_limit); });
  const std::optional<std::int64_t> limit =
      gathered(problems, [&] { return integer_of(app, "--limit", 1, integer_max); });
  if (limit) asked.limit = static_cast<std::uint64_t>(*limit);
  asked.shard = gathered(problems, [&] {
    const std::optional<std::string> text = value_of(app, "--shard");
    return text ? std::optional(search::parse_shard(*text, "--shard")) : std::nullopt;
  });
  asked.out = gathered(problems, [&] { return value_of(app, "--out"); });
  asked.table = gathered(problems, [&] { return value_of(app, "--table"); });
  const std::size_t before = problems.size();
  asked.scenario = gathered(problems, [&] { return read_space(asked.name, asked.sets); });
  asked.salt = value_of(app, "--salt").value_or("");
  asked.scenario.seal = gathered(problems, [&] { return seal_of(app, asked.instance); });
  if (problems.size() == before) check_together(app, asked, problems);
  support::throw_if_any(problems);
  asked.out = read_output(app, "--out");
  asked.table = read_output(app, "--table");
  asked.k_max = k_max.value_or(std::min(asked.scenario.budget.trials, datasets::k_limit));
  return asked;
}

std::string truth_of(const Asked& asked) {
  const search::BackendSpec backend{
      .kind = asked.scenario.measured ? search::BackendKind::table : search::BackendKind::simulator,
      .command = ""};
  return search::searched_sha256(backend, asked.scenario, asked.instance);
}

/// Where values spill that no output lies beside: the working folder where there is no other.
fs::path temporary_path() {
  std::error_code none;
  const fs::path folder = fs::temp_directory_path(none);
  return (none ? fs::path() : folder) / "cubicbench";
}

datasets::NumberRange part_of(const Asked& asked) {
  const std::uint64_t all = asked.scenario.space.count();
  if (!asked.shard) return {.first = 0, .count = all};
  return datasets::range_of_shard(all, asked.shard->index, asked.shard->of);
}

/// A bar, and an orderly end when a signal has arrived.
class Watched {
 public:
  explicit Watched(const Asked& asked)
      : progress_(terminal_progress(asked.global.quiet, "configurations")),
        total_(static_cast<std::int64_t>(asked.limit.value_or(part_of(asked).count))) {
    const std::string beside = asked.out.value_or(asked.table.value_or(""));
    run_ = {.threads = static_cast<int>(asked.global.threads),
            .beside = beside.empty() ? temporary_path() : fs::path(beside),
            .progress = [this](std::uint64_t more) {
              const std::int64_t done = done_ += static_cast<std::int64_t>(more);
              if (progress_ != nullptr) progress_->show(done, total_);
              look();
            }};
  }

  const datasets::ValuingRun& run() const { return run_; }
  /// Throws Interrupted when a signal has arrived.
  void look() const { end_if_requested(watch_, left); }
  void finish() {
    if (progress_ != nullptr) progress_->clear();
    look();
  }

 private:
  InterruptionWatch watch_;
  std::unique_ptr<Progress> progress_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_ = 0;
  datasets::ValuingRun run_;
};

/// The document, and what is printed without --json.
struct Answer {
  std::string document;
  std::string text;
};

std::string text_of(const Asked& asked, const Enumeration& enumeration) {
  const results::AskedProblem problem{
      .scenario = asked.name, .instance = asked.instance, .salt = asked.salt, .sets = asked.sets};
  return results::terminal_text(
      results::enumeration_document(enumeration, problem, asked.scenario.measured != nullptr));
}

Answer answer_of(const Asked& asked, const Enumeration& enumeration) {
  return {.document = support::document_text(results::enumeration_json(enumeration)),
          .text = text_of(asked, enumeration)};
}

Answer all_valued(const Asked& asked, const scenarios::Instance& instance, Enumeration head,
                  Watched& watched) {
  const scenarios::SearchSpace& space = asked.scenario.space;
  std::vector<TrueValue> kept(asked.table ? space.count() : 0);
  datasets::ValuedRange range =
      datasets::valued_range(instance, part_of(asked), watched.run(), kept);
  watched.finish();
  datasets::ValuedSpace values{.failures = range.failures,
                               .best = range.best,
                               .best_configs = datasets::named_settings(space, range.best.numbers),
                               .values = std::move(range.values)};
  const auto look = [&] { watched.look(); };
  const Enumeration enumeration =
      datasets::enumerated(std::move(head), std::move(values), asked.k_max,
                           static_cast<int>(asked.global.threads), look);
  Answer answer = answer_of(asked, enumeration);
  look();
  if (asked.table) datasets::write_configuration_table(space, kept, *asked.table, look);
  return answer;
}

Answer shard_valued(const Asked& asked, const scenarios::Instance& instance, Enumeration head,
                    Watched& watched) {
  datasets::EnumerationShard shard{.head = std::move(head),
                                   .version = "",
                                   .k_max = asked.k_max,
                                   .index = asked.shard->index,
                                   .of = asked.shard->of,
                                   .failures = {},
                                   .best = {},
                                   .best_configs = {},
                                   .runs = {},
                                   .file = {}};
  const datasets::NumberRange part = part_of(asked);
  datasets::ValuedRange range = datasets::valued_range(instance, part, watched.run());
  watched.finish();
  shard.failures = range.failures;
  shard.best = range.best;
  shard.best_configs = datasets::named_settings(asked.scenario.space, range.best.numbers);
  datasets::store_values(datasets::MergedRuns(std::move(range.values)), *asked.out + ".values",
                         shard, [&] { watched.look(); });
  return {.document = support::document_text(results::enumeration_shard_json(shard)),
          .text = asked.scenario.name + ": shard " + std::to_string(shard.index) + "/" +
                  std::to_string(shard.of) + ", " +
                  results::counted(part.count, "configuration", "configurations") +
                  " valued. `cubicbench merge` makes one of all shards.\n"};
}

Answer bounded(const Asked& asked, const scenarios::Instance& instance, Enumeration head,
               Watched& watched) {
  const datasets::BoundedOptimum found =
      datasets::bounded_optimum(instance, asked.limit, watched.run());
  watched.finish();
  return answer_of(asked,
                   datasets::enumerated_by_bounds(std::move(head), asked.scenario.space, found));
}

Reply answer(const CLI::App& app, results::Ink) {
  const Asked asked = read_asked(app);
  const scenarios::Instance instance(asked.scenario, asked.instance);
  Enumeration head = datasets::enumeration_head(instance, truth_of(asked), asked.name);
  // To the end: a file that is begun is finished or removed. Once one of two has its name, the
  // other is written, too.
  Watched watched(asked);
  const Answer answer = asked.shard       ? shard_valued(asked, instance, std::move(head), watched)
                        : asked.by_bounds ? bounded(asked, instance, std::move(head), watched)
                                          : all_valued(asked, instance, std::move(head), watched);
  if (asked.out) support::write_file_atomic(*asked.out, answer.document);
  return asked.global.json ? answer.document : answer.text;
}

}  // namespace

Command enumerate_command() {
  return {.name = "enumerate",
          .summary = "Every configuration of a space: the certified optimum",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
