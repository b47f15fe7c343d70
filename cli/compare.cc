#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/comparison_request.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "results/comparison/comment.h"
#include "results/comparison/compared_side.h"
#include "results/comparison/comparison_document.h"
#include "results/comparison/junit.h"
#include "results/document/terminal.h"
#include "support/files.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

results::GivenSpaces spaces_of(const ComparisonRequest& asked) {
  Problems problems;
  results::GivenSpaces given;
  for (const std::string& file : asked.optima) {
    gathered(problems,
             [&] { given.push_back({.space = datasets::read_enumeration(file), .file = file}); });
  }
  support::throw_if_any(problems);
  return given;
}

std::optional<std::string> searcher_of(const ComparisonRequest& asked, std::size_t side) {
  if (asked.searchers.empty()) return std::nullopt;
  return asked.searchers[std::min(side, asked.searchers.size() - 1)];
}

results::ComparedSide side_of(const ComparisonRequest& asked, const results::GivenSpaces& given,
                              std::size_t side) {
  return results::read_side({.folder = side == 0 ? asked.baseline : asked.candidate,
                             .searcher = searcher_of(asked, side),
                             .threads = asked.global.threads},
                            given);
}

Reply answer(const ComparisonRequest& asked, const results::Screen& screen) {
  const results::GivenSpaces given = spaces_of(asked);
  const results::ComparedSide baseline = side_of(asked, given, 0);
  const results::ComparedSide candidate = side_of(asked, given, 1);
  const results::Comparison comparison = results::compare(baseline, candidate, asked.asking);
  if (asked.junit) support::write_file_atomic(*asked.junit, results::junit_text(comparison));
  if (asked.comment) support::write_file_atomic(*asked.comment, results::comment_text(comparison));
  Reply reply = asked.global.json
                    ? support::document_text(results::comparison_json(comparison))
                    : results::terminal_text(results::comparison_document(comparison), screen);
  if (comparison.is_no()) {
    reply.noes.push_back("compare: the answer is no: " + results::verdict_sentence(comparison));
  }
  return reply;
}

}  // namespace

Command compare_command() { return command(words::compare, declare_comparison, answer); }

}  // namespace cubicbench::cli
