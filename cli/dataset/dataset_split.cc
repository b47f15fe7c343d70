#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/dataset/dataset_verb.h"
#include "cli/options/readers.h"
#include "cli/terminal/watched.h"
#include "datasets/catalog/measured_catalog.h"
#include "datasets/catalog/table_split.h"
#include "results/document/number_text.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/new_folder.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void declare_split(Options& options, DatasetAsked& asked) {
  constexpr std::int64_t rows_max = 1'000'000'000;
  const auto here = [&asked] { return asked.verb == "split"; };
  options
      .value("--split", "KIND", "split: random, time, scale, workload, cluster or\nsearcher",
             asked.split, Choice<datasets::SplitKind>{datasets::split_names()})
      .required("expected " + one_of(datasets::split_names()) + ", got nothing", here);
  options
      .value("--train", "N", "split: rows of the training part", asked.train, Integer{1, rows_max})
      .required("expected a number of rows to learn from, got nothing", here);
  options.value("--repeat", "R", "split: number of the random draw (default 0)", asked.repeat,
                Integer{0, rows_max});
}

void check_split(const DatasetAsked& asked) {
  require_one_name(asked, "the dataset to split; see cubicbench list datasets");
}

void check_out(const DatasetAsked& asked) {
  if (!asked.out.value_or("").empty()) return;
  throw support::InputError("--out", "expected a folder, got nothing");
}

std::string answer_split(const DatasetAsked& asked, const results::Screen&) {
  const fs::path folder = asked.out.value_or("");
  const std::string& name = asked.names.front();
  const datasets::TableParts parts =
      datasets::split_table(datasets::find_table(name, "dataset split", asked.global.threads),
                            asked.split, asked.train, asked.repeat);
  for (const std::string& note : parts.notes) say_note(note, asked.global.quiet);
  support::NewFolder written(folder, folder.string());
  const fs::path whole = written.make();
  support::write_file_atomic(whole / "train.csv", parts.train);
  support::write_file_atomic(whole / "test.csv", parts.test);
  written.keep();
  const std::array files{(folder / "train.csv").string(), (folder / "test.csv").string()};
  if (!asked.global.json) {
    return files[0] + ": " + results::counted(parts.train_rows, "row", "rows") + "\n" + files[1] +
           ": " + results::counted(parts.test_rows, "row", "rows") + "\n";
  }
  Json document = support::new_document("dataset");
  document["name"] = name;
  document["split"] = name_of(asked.split);
  document["repeat"] = asked.repeat;
  document["train"] = parts.train_rows;
  document["test"] = parts.test_rows;
  document["files"] = files;
  return support::document_text(document);
}

}  // namespace

DatasetVerb dataset_split() {
  return {.name = "split",
          .output = Output::new_folder,
          .declare = declare_split,
          .check_names = check_split,
          .check_out = check_out,
          .answer = answer_split};
}

}  // namespace cubicbench::cli
