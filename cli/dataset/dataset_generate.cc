#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/dataset/dataset_verb.h"
#include "cli/options/readers.h"
#include "datasets/jobs/job_history.h"
#include "datasets/tables/measurement.h"
#include "results/document/number_text.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::InputError;
/// A number of GPUs that a generated cluster may have.
std::int64_t power_of_two(const std::string& text, const std::string& where) {
  constexpr Integer any{8, 65'536};
  const std::int64_t gpus = any(text, where);
  if ((gpus & (gpus - 1)) != 0) {
    throw InputError(where, "expected a power of two, got " + std::to_string(gpus));
  }
  return gpus;
}

void declare_generate(Options& options, DatasetAsked& asked) {
  datasets::HistoryOptions& history = asked.history;
  options.value("--jobs", "N", "generate: jobs (default 1000)", history.jobs,
                Integer{1, 1'000'000});
  options.value("--days", "N", "generate: days over which they are spread (default 365)",
                history.days, Integer{1, 36'500});
  options
      .value("--gpus-min", "N", "generate: smallest job, a power of two (default 8)",
             history.gpus_min, power_of_two)
      .check([&history] {
        if (history.gpus_min <= history.gpus_max) return;
        throw InputError("--gpus-min", "expected at most --gpus-max, " +
                                           std::to_string(history.gpus_max) + ", got " +
                                           std::to_string(history.gpus_min));
      });
  options.value("--gpus-max", "N", "generate: largest job, a power of two (default 16384)",
                history.gpus_max, power_of_two);
  options.value("--seed", "N", "generate: seed of the history (default 0)", history.seed,
                any_index);
}

void check_generate(const DatasetAsked& asked) {
  require_one_name(asked, "llm-history");
  if (asked.names.front() == "llm-history") return;
  throw InputError("dataset generate",
                   "expected llm-history, the only dataset that is generated, "
                   "got " +
                       in_quotes(asked.names.front()));
}

std::string answer_generate(const DatasetAsked& asked, const results::Screen&) {
  const fs::path out = asked.out.value_or("");
  const datasets::Measurements history = datasets::job_history(asked.history, asked.global.threads);
  write_output(out, datasets::measurements_csv(history));
  if (!asked.global.json) {
    return out.string() + ": " +
           results::counted(history.rows.size(), "generated job", "generated jobs") + "\n";
  }
  Json document = support::new_document("dataset");
  document["name"] = asked.names.front();
  document["rows"] = history.rows.size();
  document["files"] = {out.string()};
  return support::document_text(document);
}

}  // namespace

DatasetVerb dataset_generate() {
  return {.name = "generate",
          .output = Output::file_with_folder,
          .declare = declare_generate,
          .check_names = check_generate,
          .check_out = require_csv_out,
          .answer = answer_generate};
}

}  // namespace cubicbench::cli
