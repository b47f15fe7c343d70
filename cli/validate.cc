#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/shared_options.h"
#include "cli/requests/validation_request.h"
#include "cli/terminal/written_page.h"
#include "datasets/fits/calibration_plan.h"
#include "datasets/fits/law_plan.h"
#include "predictor/calibration/ablation.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/studies/study_commands.h"
#include "results/validation/ablation_document.h"
#include "results/validation/strangers.h"
#include "results/validation/summary.h"
#include "results/validation/validation_document.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

/// The table of all that ships is the one that the repository keeps.
results::ValidationOrigin origin_of(const ValidationRequest& asked) {
  const bool shipped = is_of_all_shipped(asked);
  std::string file = "docs/validation.md";
  if (asked.markdown && !shipped) file = asked.markdown->filename().string();
  return {
      .command = command_of(asked), .markdown_file = results::shell_word(file), .shipped = shipped};
}

/// What is kept of all that ships says what to expect of other software too. Fits again only where
/// others are asked for.
std::optional<results::Strangers> strangers_of(const ValidationRequest& asked) {
  if (!is_of_all_shipped(asked) || (!asked.out && !asked.markdown)) return std::nullopt;
  return results::strangers_of(asked.tables, wanted_rows(asked), asked.ablation,
                               asked.global.threads);
}

/// Writes what is asked for beside standard output and says where.
std::string write_files(const ValidationRequest& asked, const results::Document& document) {
  // The page first: where its folder fails, no Markdown is left.
  std::string text = written_page(document, asked.out);
  if (asked.markdown) {
    write_output(*asked.markdown, results::markdown_text(document));
    text += "\nThe table is in " + asked.markdown->string() + "\n";
  }
  return text;
}

Reply answer(const ValidationRequest& asked, const results::Screen& screen) {
  const int threads = asked.global.threads;
  const datasets::Validation validation = validation_of(asked);
  const results::Summaries summaries = results::summaries_of(validation);
  std::optional<predictor::Ablation> ablation;
  if (asked.ablation) {
    ablation = predictor::ablation_of(datasets::law_plan(), datasets::calibration_plans(), threads);
  }
  results::Document shown{.title = ""};
  if (!asked.global.json || asked.out || asked.markdown) {
    const auto strangers = strangers_of(asked);
    shown = results::validation_document(validation, summaries, origin_of(asked),
                                         ablation ? &*ablation : nullptr,
                                         strangers ? &*strangers : nullptr);
  }
  const std::string written = write_files(asked, shown);
  nlohmann::ordered_json document = results::validation_json(validation, summaries);
  if (ablation) document["ablation"] = results::ablation_json(*ablation);
  Reply reply = asked.global.json ? support::document_text(document)
                                  : results::terminal_text(shown, screen) + written;
  reply.noes = noes_of(asked.requirements, document);
  return reply;
}

}  // namespace

Command validate_command() { return command(words::validate, declare_validation, answer); }

}  // namespace cubicbench::cli
