#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "results/document/terminal.h"
#include "results/tables/glossary_document.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct GlossaryAsked {
  std::vector<std::string> words;  ///< of one entry
  std::optional<std::filesystem::path> markdown;
  GlobalOptions global;
};

void declare_glossary(Options& options, GlossaryAsked& asked) {
  options.arguments("WORD", "A word or a setting, or a part of it (default: all are listed)",
                    asked.words);
  options
      .value("--markdown", "FILE", "Write the whole glossary as Markdown", asked.markdown,
             Filled{"a file"})
      .check([&asked] {
        if (!asked.markdown || asked.words.empty()) return;
        throw support::InputError("--markdown",
                                  "expected no WORD beside it: it writes the whole glossary");
      })
      .writes(Output::file);
}

/// Words with one space between them, however they were quoted.
std::string one_word(const std::vector<std::string>& words) {
  std::istringstream in(support::joined(words, " "));
  std::vector<std::string> parts;
  for (std::string part; in >> part;) parts.push_back(part);
  if (parts.empty()) throw support::InputError("WORD", "expected a word, got \"\"");
  return support::joined(parts, " ");
}

std::vector<const results::GlossaryEntry*> wanted(const GlossaryAsked& asked) {
  return asked.words.empty() ? results::all_entries() : results::entries_of(one_word(asked.words));
}

Reply answer(const GlossaryAsked& asked, const results::Screen& screen) {
  const std::vector<const results::GlossaryEntry*> entries = wanted(asked);
  if (asked.markdown) support::write_file_atomic(*asked.markdown, results::glossary_markdown());
  if (asked.global.json) return support::document_text(results::glossary_json(entries));
  if (asked.markdown) return "The glossary is in " + asked.markdown->string() + "\n";
  return results::terminal_text(
      asked.words.empty() ? results::glossary_document() : results::entries_document(entries),
      screen);
}

}  // namespace

Command glossary_command() { return command(words::glossary, declare_glossary, answer); }

}  // namespace cubicbench::cli
