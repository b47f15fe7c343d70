#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/dataset_verbs.h"
#include "cli/options.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;
using support::Problem;

/// One verb of the command and the options that it alone, or with others, has.
struct Verb {
  std::string_view name;
  std::vector<std::string> options;
  std::string (*answer)(const CLI::App& app);
};

const std::array<Verb, 4>& verbs() {
  static const std::array<Verb, 4> all{{
      {"generate",
       {"--jobs", "--days", "--gpus-min", "--gpus-max", "--seed", "--out"},
       dataset_generate},
      {"describe", {}, dataset_describe},
      {"split", {"--split", "--train", "--repeat", "--out"}, dataset_split},
      {"import", {"--scenario", "--out"}, dataset_import},
  }};
  return all;
}

void declare(CLI::App& app) {
  declare_positional(app, "VERB", "generate, describe, split or import");
  declare_positionals(app, "NAME",
                      "generate: llm-history. describe, split: a dataset\n(see list datasets) or a "
                      "CSV file. import: folders of\nsearches");
  declare_value(app, "--out", "PATH",
                "generate, import: the CSV file. split: a new folder\nfor train.csv and test.csv");
  declare_value(app, "--jobs", "N", "generate: jobs (default 1000)");
  declare_value(app, "--days", "N", "generate: days that they spread over (default 365)");
  declare_value(app, "--gpus-min", "N", "generate: smallest job, a power of two (default 8)");
  declare_value(app, "--gpus-max", "N", "generate: largest job, likewise (default 16384)");
  declare_value(app, "--seed", "N", "generate: which history (default 0)");
  declare_value(app, "--split", "KIND",
                "split: random, time, scale, workload, cluster or\nsearcher");
  declare_value(app, "--train", "N", "split: rows to learn from");
  declare_value(app, "--repeat", "R", "split: which of the draws (default 0)");
  declare_value(app, "--scenario", "FILE",
                "import: a scenario of the searches that is not in\nthe library; may be repeated");
}

/// Options of other verbs would be passed over in silence.
void refuse_others(const CLI::App& app, const Verb& verb) {
  std::vector<Problem> problems;
  for (const Verb& other : verbs()) {
    for (const std::string& option : other.options) {
      if (app.count(option) == 0 || std::ranges::find(verb.options, option) != verb.options.end()) {
        continue;
      }
      problems.push_back({.where = option,
                          .text = "expected with dataset " + std::string(other.name) +
                                  ", got dataset " + std::string(verb.name)});
    }
  }
  support::throw_if_any(problems);
}

Reply answer(const CLI::App& app, results::Ink) {
  const std::string name = value_of(app, "VERB").value_or("");
  const auto verb = std::ranges::find(verbs(), name, &Verb::name);
  if (verb == verbs().end()) {
    std::vector<std::string> names;
    for (const Verb& known : verbs()) names.emplace_back(known.name);
    throw InputError("dataset", "expected generate, describe, split or import, got " +
                                    (name.empty() ? std::string("nothing") : in_quotes(name)) +
                                    support::did_you_mean(name, names));
  }
  refuse_others(app, *verb);
  return verb->answer(app);
}

}  // namespace

Command dataset_command() {
  return {.name = "dataset",
          .summary = "Tables of runs: generated, described, split, imported",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
