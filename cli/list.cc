#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options/readers.h"
#include "datasets/catalog/measured_catalog.h"
#include "datasets/problem/table_scenario.h"
#include "predictor/learners/registry.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "scenarios/catalog.h"
#include "search/searchers/registry.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Entry;
using scenarios::Kind;

constexpr std::array<std::string_view, 7> shelves{"scenarios", "searchers", "predictors", "devices",
                                                  "networks",  "stacks",    "datasets"};

/// The library's shelf of that name; nothing where no entries ship.
std::optional<Kind> kind_of(std::string_view shelf) {
  if (shelf == "scenarios") return Kind::scenario;
  if (shelf == "devices") return Kind::device;
  if (shelf == "networks") return Kind::network;
  if (shelf == "stacks") return Kind::stack;
  return std::nullopt;
}

struct Row {
  Entry entry;
  std::int64_t gpus = 0;                              ///< scenarios only
  std::uint64_t configurations = 0;                   ///< likewise
  std::span<const search::SearcherOption> options{};  ///< searchers only
  bool privileged = false;                            ///< predictors only: asks the simulator
  std::string_view kind{};                            ///< datasets only
  bool measured = false;                              ///< likewise
};

/// ". Options: population=50 (what it means), ...", with the defaults.
std::string options_text(std::span<const search::SearcherOption> options) {
  std::string text;
  for (const search::SearcherOption& option : options) {
    text += (text.empty() ? ". Options: " : ", ") + std::string(option.name) + "=" +
            support::shortest(option.otherwise) + " (" + std::string(option.summary) + ")";
  }
  return text;
}

Json options_json(std::span<const search::SearcherOption> options) {
  const auto number = [](const search::SearcherOption& option, double value) {
    return option.integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
  };
  Json list = Json::array();
  for (const search::SearcherOption& option : options) {
    list.push_back({{"name", option.name},
                    {"summary", option.summary},
                    {"default", number(option, option.otherwise)},
                    {"min", number(option, option.min)},
                    {"max", number(option, option.max)}});
  }
  return list;
}

std::vector<Row> searcher_rows() {
  std::vector<Row> rows;
  for (const search::SearcherEntry& entry : search::searchers()) {
    rows.push_back(
        {.entry = {.name = std::string(entry.name), .summary = std::string(entry.summary)},
         .options = entry.options});
  }
  return rows;
}

std::vector<Row> predictor_rows() {
  std::vector<Row> rows;
  for (const predictor::PredictorEntry& entry : predictor::predictors()) {
    rows.push_back(
        {.entry = {.name = std::string(entry.name), .summary = std::string(entry.summary)},
         .privileged = entry.asks_simulator});
  }
  return rows;
}

std::vector<Row> dataset_rows() {
  std::vector<Row> rows;
  for (const datasets::NamedDataset& dataset : datasets::named_datasets()) {
    rows.push_back(
        {.entry = {.name = std::string(dataset.name), .summary = std::string(dataset.summary)},
         .kind = datasets::name_of(dataset.kind),
         .measured = dataset.measured});
  }
  return rows;
}

std::vector<Row> rows_of(std::string_view shelf) {
  if (shelf == "searchers") {
    return searcher_rows();
  }
  if (shelf == "predictors") {
    return predictor_rows();
  }
  if (shelf == "datasets") {
    return dataset_rows();
  }
  std::vector<Row> rows;
  const std::optional<Kind> kind = kind_of(shelf);
  if (!kind) {
    return rows;
  }
  for (const Entry& entry : scenarios::names(*kind)) {
    Row row{.entry = entry};
    if (kind == Kind::scenario) {
      const scenarios::Scenario scenario = datasets::read_scenario(entry.name);
      row.gpus = scenario.space.facts().gpus;
      row.configurations = scenario.space.count();
    }
    rows.push_back(row);
  }
  return rows;
}

std::string json_text(const std::string& shelf, const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    Json item{{"name", row.entry.name}, {"summary", row.entry.summary}};
    if (shelf == "scenarios") {
      item["gpus"] = row.gpus;
      item["configurations"] = row.configurations;
    }
    if (shelf == "searchers") {
      item["options"] = options_json(row.options);
    }
    if (shelf == "predictors") {
      item["privileged"] = row.privileged;
    }
    if (shelf == "datasets") {
      item["kind"] = row.kind;
      item["measured"] = row.measured;
    }
    list.push_back(item);
  }
  Json document = support::new_document("list");
  document[shelf] = list;
  return support::document_text(document);
}

/// Cells of one line: the summary comes last and is wrapped, numbers are aligned to the right.
struct Cells {
  std::string name;
  std::vector<std::string> numbers;
  std::string summary;
};

std::string table_text(const std::vector<Cells>& lines) {
  std::size_t name_columns = 0;
  std::vector<std::size_t> number_columns(lines.front().numbers.size());
  for (const Cells& line : lines) {
    name_columns = std::max(name_columns, line.name.size());
    for (std::size_t i = 0; i < line.numbers.size(); ++i) {
      number_columns[i] = std::max(number_columns[i], line.numbers[i].size());
    }
  }
  std::string text;
  for (const Cells& line : lines) {
    std::string head = line.name + std::string(name_columns - line.name.size(), ' ');
    for (std::size_t i = 0; i < line.numbers.size(); ++i) {
      head += std::string(2 + number_columns[i] - line.numbers[i].size(), ' ') + line.numbers[i];
    }
    text += results::paragraph(head, head.size() + 2, line.summary);
  }
  return text;
}

std::string plain_text(const std::string& shelf, const std::vector<Row>& rows) {
  if (rows.empty()) {
    return "No " + shelf + " ship with this version.\n";
  }
  const bool is_scenarios = shelf == "scenarios";
  std::vector<Cells> lines;
  lines.push_back({.name = "NAME", .numbers = {}, .summary = "SUMMARY"});
  if (is_scenarios) {
    lines.front().numbers = {"GPUS", "CONFIGURATIONS"};
  }
  for (const Row& row : rows) {
    Cells line{.name = row.entry.name,
               .numbers = {},
               .summary = row.entry.summary + options_text(row.options) +
                          (row.privileged ? "; privileged on simulated data" : "")};
    if (is_scenarios) {
      line.numbers = {results::grouped(static_cast<std::uint64_t>(row.gpus)),
                      results::grouped(row.configurations)};
    }
    lines.push_back(line);
  }
  return table_text(lines);
}

struct Asked {
  std::string shelf = "scenarios";
  GlobalOptions global;
};

void declare(Options& options, Asked& asked) {
  options.argument("WHAT",
                   "scenarios (unless said otherwise), searchers,\npredictors, devices, "
                   "networks, stacks or datasets",
                   asked.shelf, [](const std::string& text, const std::string& where) {
                     return shelves[choice(text, shelves, where)];
                   });
}

Reply answer(const Asked& asked, results::Ink) {
  const std::vector<Row> rows = rows_of(asked.shelf);
  return asked.global.json ? json_text(asked.shelf, rows) : plain_text(asked.shelf, rows);
}

}  // namespace

Command list_command() {
  return command("list", "What ships with this version, a line each", declare, answer);
}

}  // namespace cubicbench::cli
