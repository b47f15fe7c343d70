#include "results/comparison/comment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "results/comparison/comparison_document.h"
#include "results/document/markdown.h"
#include "results/document/number_text.h"

namespace cubicbench::results {
namespace {

/// Lines beside those of the table's rows: verdict, empty, what is compared, empty, heading, rule,
/// empty, legend.
constexpr int other_lines = 8;

/// What every sparkline is drawn to: the largest difference of any problem, and the margin at
/// least.
double reach_of(const Comparison& comparison) {
  double reach = comparison.terms.margin;
  for (const ComparedPair& problem : comparison.problems) {
    for (const double value : problem.curve) reach = std::max(reach, std::fabs(value));
  }
  return reach;
}

std::string cell_of(const ComparedPair& problem, double reach, double alpha) {
  const ComparedProblem named{.scenario = problem.scenario, .instance = problem.instance};
  const std::string shift = signed_share(problem.shift);
  const bool shown = problem.p_holm <= alpha;
  return markdown_escaped(problem_name(named)) + " " + sparkline(problem.curve, reach) + " " +
         (shown ? "**" + shift + "**" : shift);
}

std::string rows_of(const Comparison& comparison) {
  const auto lines = static_cast<std::size_t>(comment_lines_max - other_lines);
  const std::size_t count = comparison.problems.size();
  const std::size_t columns = std::max<std::size_t>(1, (count + lines - 1) / lines);
  const double reach = reach_of(comparison);
  std::string heading = "|";
  std::string rule = "|";
  for (std::size_t column = 0; column < columns; ++column) {
    heading += " problem |";
    rule += "---|";
  }
  std::string text = heading + "\n" + rule + "\n";
  for (std::size_t first = 0; first < count; first += columns) {
    text += "|";
    for (std::size_t i = first; i < first + columns; ++i) {
      text += " " +
              (i < count ? cell_of(comparison.problems[i], reach, comparison.terms.alpha) : "") +
              " |";
    }
    text += "\n";
  }
  return text;
}

std::string compared_text(const Comparison& comparison) {
  const auto side = [&](std::size_t i, const std::string& name) {
    return markdown_escaped(comparison.searchers[i]) + " of " + markdown_escaped(name) + " " +
           fixed(comparison.scores[i], 3);
  };
  return "Score " + side(0, comparison.baseline) + ", " + side(1, comparison.candidate) + "; " +
         counted(comparison.problems.size(), "problem", "problems") + " x " +
         counted(comparison.seeds, "seed", "seeds") + ".";
}

}  // namespace

std::string sparkline(std::span<const double> values, double reach) {
  constexpr std::array bars{"\u2581", "\u2582", "\u2583", "\u2584",
                            "\u2585", "\u2586", "\u2587", "\u2588"};
  constexpr double none = 3.0;
  constexpr double most = 7.0;
  std::string text;
  for (const double value : values) {
    const double share = std::clamp(value / reach, -1.0, 1.0);
    const double place = none + share * (share < 0.0 ? none : most - none);
    text += bars[static_cast<std::size_t>(std::round(place))];
  }
  return text;
}

std::string comment_text(const Comparison& comparison) {
  const std::string sentence = verdict_sentence(comparison);
  const std::size_t colon = sentence.find(':');
  return "**" + sentence.substr(0, colon) + "**" + sentence.substr(colon) + "\n\n" +
         compared_text(comparison) + "\n\n" + rows_of(comparison) + "\nBars: difference of score " +
         "while the budget is spent, \u2584 none, \u2588 +" +
         fixed(100.0 * reach_of(comparison), 1) +
         " % of the gap. Bold: significant for the problem alone.\n";
}

}  // namespace cubicbench::results
