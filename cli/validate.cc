#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options/requirements.h"
#include "cli/requests/validation_request.h"
#include "datasets/fits/calibration_plan.h"
#include "results/studies/study_commands.h"
#include "results/validation/ablation.h"
#include "results/validation/ablation_json.h"
#include "results/validation/ablation_tables.h"
#include "results/validation/summary.h"
#include "results/validation/validate_tables.h"
#include "results/validation/validation_json.h"
#include "results/validation/validation_report.h"
#include "results/validation/validation_text.h"
#include "support/files.h"
#include "support/folders.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

/// The table of all that ships is the one that the repository keeps.
results::MarkdownOrigin origin_of(const ValidationRequest& asked) {
  const bool shipped = is_of_all_shipped(asked);
  const std::string file = shipped ? "docs/validation.md" : asked.markdown->filename().string();
  return {.command = command_of(asked) + " --markdown " + results::shell_word(file),
          .shipped = shipped};
}

/// Writes what is asked for beside standard output and says where.
std::string write_files(const ValidationRequest& asked, const results::Validation& validation,
                        const results::Summaries& summaries, const results::Ablation* ablation) {
  std::string text;
  // The page first: where its folder fails, no Markdown is left.
  if (asked.out) {
    results::write_validation_report(validation, summaries, *asked.out, command_of(asked),
                                     ablation);
    text += "\nOpen " + (*asked.out / "index.html").string() + " in a browser.\n";
  }
  if (asked.markdown) {
    support::make_folders(asked.markdown->parent_path());
    support::write_file_atomic(
        *asked.markdown,
        results::validation_markdown(validation, summaries, origin_of(asked), ablation));
    text += "\nThe table is in " + asked.markdown->string() + "\n";
  }
  return text;
}

Reply answer(const ValidationRequest& asked, results::Ink) {
  const int threads = asked.global.threads;
  const results::Validation validation =
      results::validate_tables(asked.tables, wanted_rows(asked), threads);
  const results::Summaries summaries = results::summaries_of(validation);
  std::optional<results::Ablation> ablation;
  if (asked.ablation) ablation = results::ablation_of(datasets::calibration_plans(), threads);
  const results::Ablation* const terms = ablation ? &*ablation : nullptr;
  const std::string written = write_files(asked, validation, summaries, terms);
  nlohmann::ordered_json document = results::validation_json(validation, summaries);
  if (ablation) document["ablation"] = results::ablation_json(*ablation);
  Reply reply = asked.global.json
                    ? support::document_text(document)
                    : results::validation_text(validation, summaries) +
                          (ablation ? results::ablation_text(*ablation) : std::string()) + written;
  reply.noes = noes_of(asked.requirements, document);
  return reply;
}

}  // namespace

Command validate_command() {
  return command("validate", "How near the simulator is to published measurements",
                 declare_validation, answer);
}

}  // namespace cubicbench::cli
