#include "results/comparison/junit.h"

#include <string_view>

#include "results/comparison/comparison_document.h"
#include "results/document/number_text.h"

namespace cubicbench::results {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

std::string test_case(std::string_view name, const std::string& inside) {
  return "    <testcase classname=\"cubicbench.compare\" name=\"" + escaped(name) + "\">\n      " +
         inside + "\n    </testcase>\n";
}

std::string output(const std::string& text) {
  return "<system-out>" + escaped(text) + "</system-out>";
}

std::string question_case(const Comparison& comparison) {
  const std::string sentence = verdict_sentence(comparison);
  const std::string_view question =
      question_names[static_cast<std::size_t>(comparison.terms.question)];
  std::string inside = output(sentence);
  if (comparison.is_no()) {
    inside = "<failure message=\"" + escaped(sentence) + "\" type=\"" +
             std::string(name_of(comparison.verdict)) + "\"/>";
  } else if (comparison.verdict == Verdict::undecided) {
    inside = "<skipped message=\"" + escaped(sentence) + "\"/>";
  }
  return test_case(question, inside);
}

}  // namespace

std::string junit_text(const Comparison& comparison) {
  const bool undecided = comparison.verdict == Verdict::undecided;
  const std::string counts = "tests=\"" + std::to_string(comparison.problems.size() + 1) +
                             "\" failures=\"" + (comparison.is_no() ? "1" : "0") +
                             "\" errors=\"0\" skipped=\"" + (undecided ? "1" : "0") + "\"";
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts +
                     ">\n  <testsuite name=\"cubicbench compare\" " + counts + ">\n" +
                     question_case(comparison);
  for (const ComparedPair& problem : comparison.problems) {
    const ComparedProblem named{.scenario = problem.scenario, .instance = problem.instance};
    text += test_case(problem_name(named), output("shift " + signed_share(problem.shift) + " (" +
                                                  bounds_text(problem.low, problem.high) +
                                                  "), A12 " + fixed(problem.superiority.a12, 2) +
                                                  ", p " + fixed(problem.p_holm, 3)));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace cubicbench::results
