#include <algorithm>
#include <array>
#include <string>

#include "cli/commands.h"
#include "cli/dataset/dataset_verb.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "datasets/catalog/measured_catalog.h"
#include "results/document/terminal.h"
#include "results/tables/table_summary.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

void check_described(const DatasetAsked& asked) {
  require_one_name(asked, "the dataset to describe; see cubicbench list datasets");
}

std::string described(const DatasetAsked& asked, const results::Screen& screen) {
  const results::TableSummary summary = results::summary_of(
      datasets::find_table(asked.names.front(), "dataset describe", asked.global.threads));
  return asked.global.json ? results::summary_json(summary)
                           : results::terminal_text(results::summary_document(summary), screen);
}

DatasetVerb dataset_describe() {
  return {.name = "describe", .check_names = check_described, .answer = described};
}

const std::array<DatasetVerb, 4>& verbs() {
  static const std::array all{dataset_generate(), dataset_describe(), dataset_split(),
                              dataset_import()};
  return all;
}

std::vector<std::string_view> verb_names() {
  std::vector<std::string_view> names;
  for (const DatasetVerb& verb : verbs()) names.push_back(verb.name);
  return names;
}

const DatasetVerb& verb_of(const DatasetAsked& asked) {
  const auto verb = std::ranges::find(verbs(), asked.verb, &DatasetVerb::name);
  if (verb != verbs().end()) return *verb;
  throw InputError("dataset",
                   "expected generate, describe, split or import, got " +
                       (asked.verb.empty() ? std::string("nothing") : in_quotes(asked.verb)) +
                       support::did_you_mean(asked.verb, verb_names()));
}

/// Options of other verbs would be passed over in silence.
void refuse_others(const Options& options, const DatasetAsked& asked) {
  const DatasetVerb& verb = verb_of(asked);
  Problems problems;
  for (const DatasetVerb& other : verbs()) {
    if (other.name == verb.name) continue;
    const auto refuse = [&](const std::string& option) {
      problems.push_back({.where = option,
                          .text = "expected with dataset " + std::string(other.name) +
                                  ", got dataset " + std::string(verb.name)});
    };
    Options own;
    DatasetAsked nobody;
    other.declare(own, nobody);
    for (const Option& option : own.all()) {
      if (options.given(option.name)) refuse(option.name);
    }
    const bool writes = verb.output != Output::none;
    if (other.output != Output::none && !writes && options.given("--out")) refuse("--out");
  }
  support::throw_if_any(problems);
}

void declare(Options& options, DatasetAsked& asked) {
  constexpr int last = 1;
  options.argument("VERB", "generate, describe, split or import", asked.verb).offers(verb_names());
  options
      .arguments("NAME",
                 "generate: llm-history. describe, split: a dataset\n(see list datasets) or a "
                 "CSV file. import: folders of\nsearches",
                 asked.names)
      .check([&asked] { verb_of(asked).check_names(asked); });
  options
      .value("--out", "PATH",
             "generate, import: the CSV file. split: a new folder\nfor train.csv and test.csv",
             asked.out)
      .in_turn(last)
      .check([&asked] { verb_of(asked).check_out(asked); })
      .writes([&asked] { return verb_of(asked).output; });
  for (const DatasetVerb& verb : verbs()) verb.declare(options, asked);
  options.first([&asked](const Options& all) { refuse_others(all, asked); });
}

Reply answer(const DatasetAsked& asked, const results::Screen& screen) {
  return verb_of(asked).answer(asked, screen);
}

}  // namespace

void require_one_name(const DatasetAsked& asked, const std::string& expected) {
  if (asked.names.empty()) throw InputError("dataset", "expected " + expected);
  if (asked.names.size() > 1) throw InputError(asked.names[1], "unexpected argument");
}

void require_csv_out(const DatasetAsked& asked) {
  FileEnding{".csv"}(asked.out.value_or(""), "--out");
}

Command dataset_command() { return command(words::dataset, declare, answer); }

}  // namespace cubicbench::cli
