#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "cli/requests/explanation_request.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/explanation/explanation_document.h"
#include "results/explanation/explanation_json.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct ExplainAsked : ExplanationAsked {
  bool why = false;
  bool markdown = false;
  GlobalOptions global;
};

void declare_explain(Options& options, ExplainAsked& asked) {
  declare_scenario(options, asked.name);
  declare_set(options, "a setting", asked.sets);
  options.value("--against", "N=V,..|DIR:best",
                "Compare with another plan, term by term: this one with\nthese settings, or the "
                "best of a search's folder",
                asked.against, Filled{"NAME=VALUE,... or FOLDER:best"});
  options.flag("--why", "Print each term's equation, its source and its numbers", asked.why);
  declare_instance(options, asked.instance);
  declare_salt(options, asked.salt);
  options.flag("--markdown", "Print tables in Markdown", asked.markdown).check([&asked] {
    if (asked.markdown && asked.global.json) {
      throw support::InputError("--markdown",
                                "expected no --json beside it: one of them is printed");
    }
  });
}

Reply answer(const ExplainAsked& asked, const results::Screen& screen) {
  ExplanationAsked wanted = asked;
  wanted.threads = asked.global.threads;
  const results::Explanation explained = explanation(wanted);
  if (asked.global.json) return support::document_text(results::explanation_json(explained));
  const results::Document document = results::explanation_document(explained, asked.why);
  return asked.markdown ? results::markdown_text(document)
                        : results::terminal_text(document, screen);
}

}  // namespace

Command explain_command() { return command(words::explain, declare_explain, answer); }

}  // namespace cubicbench::cli
