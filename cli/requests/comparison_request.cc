#include "cli/requests/comparison_request.h"

#include <cmath>

#include "cli/options/readers.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/input_error.h"
#include "support/shell_word.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

constexpr std::size_t sides = 2;

void require_placeholders(const ComparisonRequest& request) {
  std::vector<std::string> wanted{"{out}"};
  if (request.until_decided) wanted.insert(wanted.end(), {"{seed}", "{seeds}"});
  for (const std::string& placeholder : wanted) {
    if (request.run->find(placeholder) != std::string::npos) continue;
    throw InputError("--run", "expected a command with " + placeholder + " in it, got " +
                                  in_quotes(*request.run));
  }
}

void check_course(const ComparisonRequest& request) {
  if (request.run) require_placeholders(request);
  if (request.until_decided && !request.run) {
    throw InputError("--until-decided", "expected --run, the command that adds seeds, beside it");
  }
  if (request.until_decided && !request.max_seeds) {
    throw InputError("--until-decided", "expected --max-seeds beside it");
  }
  if (request.max_seeds && !request.until_decided) {
    throw InputError("--max-seeds", "expected --until-decided beside it");
  }
}

void declare_course(Options& options, ComparisonRequest& request) {
  options.value("--run", "COMMAND",
                "Run this first, which searches into CANDIDATE: {out}\nis put in, and {seed} and "
                "{seeds}, the first and how many",
                request.run, Filled{"COMMAND"});
  options.flag("--until-decided",
               "Run it again with more seeds until the verdict is\nknown, by bounds that hold at "
               "all times at once",
               request.until_decided);
  options.value("--max-seeds", "N", "Stop after N seeds", request.max_seeds,
                Integer{1, scenarios::seeds_max});
  constexpr int last = 1;
  options.check(last, [&request] { check_course(request); });
}

void replace_all(const std::string& placeholder, const std::string& value, std::string& text) {
  for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos;
       at += value.size()) {
    text.replace(at, placeholder.size(), value);
  }
}

}  // namespace

std::string filled_run(const std::string& command, const std::filesystem::path& out,
                       std::int64_t seed, std::int64_t seeds) {
  std::string text = command;
  replace_all("{seeds}", std::to_string(seeds), text);
  replace_all("{seed}", std::to_string(seed), text);
  replace_all("{out}", support::shell_word(out.string()), text);
  return text;
}

void declare_comparison(Options& options, ComparisonRequest& request) {
  options
      .argument("BASELINE",
                "The folder of a search, or of several with other seeds;\nor reference:SEARCHER, "
                "or reference:FILE.json",
                request.baseline)
      .required();
  options
      .argument("CANDIDATE", "The same of what may have become better or worse", request.candidate)
      .required();
  options.value("--question", "Q",
                "not-worse: does it lose less than the margin?\nbetter: does it win? A no is exit "
                "code 1\n(default: not-worse)",
                request.terms.question, Choice<results::Question>{results::question_names});
  options.value("--margin", "X",
                "Loss of score that counts as none, as a share of\nthe gap between baseline and "
                "optimum (default: 0.01)",
                request.terms.margin, Between{0.0, 1.0, "above 0 and below 1"});
  options.value("--alpha", "A", "Probability that each verdict is wrong\n(default: 0.01)",
                request.terms.alpha, Between{1e-9, 0.5, "above 1e-9 and below 0.5"});
  options
      .words("--searcher", "B[,C]",
             "Searcher of each folder, or one name for both; needed if\na folder has several",
             request.searchers)
      .check([&request] {
        if (request.searchers.size() <= sides) return;
        throw InputError("--searcher",
                         "expected one or two, got " + std::to_string(request.searchers.size()));
      });
  options.values(
      "--optimum", "FILE.json",
      "What enumerate says of a searched scenario; may be\ngiven often. Small spaces and "
      "references that ship\nneed none",
      request.optima);
  declare_course(options, request);
  options
      .value("--junit", "FILE", "Also write the verdict as a JUnit report", request.junit,
             Filled{"FILE"})
      .writes(Output::file_with_folder);
  options
      .value("--markdown", "FILE.md", "Also write a comment for a pull request", request.comment,
             FileEnding{".md"})
      .writes(Output::file_with_folder);
}

}  // namespace cubicbench::cli
