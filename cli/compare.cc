#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/comparison_request.h"
#include "cli/requests/comparison_rounds.h"
#include "results/comparison/comment.h"
#include "results/comparison/comparison_document.h"
#include "results/comparison/junit.h"
#include "results/document/terminal.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

Reply answer(const ComparisonRequest& asked, const results::Screen& screen) {
  const results::Comparison comparison = compared(asked);
  if (asked.junit) write_output(*asked.junit, results::junit_text(comparison));
  if (asked.comment) write_output(*asked.comment, results::comment_text(comparison));
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
