#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/dataset_verbs.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "datasets/jobs/job_history.h"
#include "datasets/tables/measurement.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::InputError;
using support::Problem;

/// A number of GPUs that a generated cluster may have.
std::int64_t power_of_two_of(const CLI::App& app, const char* name, std::int64_t otherwise) {
  constexpr std::int64_t gpus_min = 8;
  constexpr std::int64_t gpus_max = 65'536;
  const std::int64_t gpus = integer_of(app, name, gpus_min, gpus_max).value_or(otherwise);
  if ((gpus & (gpus - 1)) != 0) {
    throw InputError(name, "expected a power of two, got " + std::to_string(gpus));
  }
  return gpus;
}

datasets::HistoryOptions history_options(const CLI::App& app, std::vector<Problem>& problems) {
  constexpr std::int64_t jobs_max = 1'000'000;
  constexpr std::int64_t days_max = 36'500;
  constexpr std::int64_t seed_max = 2'147'483'647;
  const auto integer = [&](const char* name, std::int64_t min, std::int64_t max,
                           std::int64_t otherwise) {
    return gathered(problems, [&] { return integer_of(app, name, min, max).value_or(otherwise); });
  };
  const datasets::HistoryOptions defaults;
  datasets::HistoryOptions options;
  options.jobs = integer("--jobs", 1, jobs_max, defaults.jobs);
  options.days = integer("--days", 1, days_max, defaults.days);
  options.gpus_min =
      gathered(problems, [&] { return power_of_two_of(app, "--gpus-min", defaults.gpus_min); });
  options.gpus_max =
      gathered(problems, [&] { return power_of_two_of(app, "--gpus-max", defaults.gpus_max); });
  options.seed = static_cast<std::uint64_t>(integer("--seed", 0, seed_max, 0));
  if (problems.empty() && options.gpus_min > options.gpus_max) {
    problems.push_back({.where = "--gpus-min",
                        .text = "expected at most --gpus-max, " + std::to_string(options.gpus_max) +
                                ", got " + std::to_string(options.gpus_min)});
  }
  return options;
}

}  // namespace

std::string dataset_generate(const CLI::App& app) {
  const GlobalOptions global = global_options(app);
  std::vector<Problem> problems;
  const std::string name = gathered(problems, [&] { return dataset_argument(app, "llm-history"); });
  if (problems.empty() && name != "llm-history") {
    problems.push_back({.where = "dataset generate",
                        .text = "expected llm-history, the only dataset that is generated, got " +
                                in_quotes(name)});
  }
  const datasets::HistoryOptions options = history_options(app, problems);
  const fs::path out = gathered(problems, [&] { return csv_out_of(app); });
  support::throw_if_any(problems);
  const datasets::Measurements history =
      datasets::job_history(options, static_cast<int>(global.threads));
  make_folder(out.parent_path());
  support::write_file_atomic(out, datasets::measurements_csv(history));
  if (!global.json) {
    return out.string() + ": " +
           count_text(history.rows.size(), "generated job", "generated jobs") + "\n";
  }
  Json document = support::new_document("dataset");
  document["name"] = name;
  document["rows"] = history.rows.size();
  document["files"] = {out.string()};
  return support::document_text(document);
}

}  // namespace cubicbench::cli
