#include "cli/requests/comparison_request.h"

#include <cmath>

#include "cli/options/readers.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

/// A number between two others, which it may not be.
struct Between {
  double min = 0.0;
  double max = 0.0;
  std::string_view range;

  double operator()(const std::string& text, const std::string& where) const {
    const std::optional<double> number = support::parsed<double>(text);
    if (number && *number > min && *number < max) return *number;
    throw InputError(where, "expected a number " + std::string(range) + ", got " + in_quotes(text));
  }
};

constexpr std::size_t sides = 2;

}  // namespace

void declare_comparison(Options& options, ComparisonRequest& request) {
  options
      .argument("BASELINE", "The folder of a search, or one with several of other seeds",
                request.baseline)
      .required();
  options
      .argument("CANDIDATE", "The same of what may have become better or worse", request.candidate)
      .required();
  options.value("--question", "Q",
                "not-worse: does it lose less than the margin?\nbetter: does it win? A no is exit "
                "code 1\n(default: not-worse)",
                request.asking.question, Choice<results::Question>{results::question_names});
  options.value("--margin", "X",
                "Loss of score that counts as none, as a share of\nthe gap between baseline and "
                "optimum (default: 0.01)",
                request.asking.margin, Between{0.0, 1.0, "above 0 and below 1"});
  options.value("--alpha", "A", "Probability that each verdict is wrong\n(default: 0.01)",
                request.asking.alpha, Between{0.0, 0.5, "above 0 and below 0.5"});
  options
      .words("--searcher", "B[,C]",
             "Which searcher of each folder; one name is for both.\nNot needed where there is one",
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
  options.value("--junit", "FILE.xml", "Also write the verdict as a JUnit report", request.junit,
                FileEnding{".xml"});
  options.value("--markdown", "FILE.md", "Also write a comment for a pull request", request.comment,
                FileEnding{".md"});
}

}  // namespace cubicbench::cli
