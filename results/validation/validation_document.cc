#include "results/validation/validation_document.h"

#include <nlohmann/json.hpp>

#include "results/document/cell_text.h"
#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/validation/ablation_document.h"
#include "results/validation/validation_sections.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::Exclusion;
using Json = nlohmann::ordered_json;

Json summaries_json(const std::map<std::string, Summary>& of) {
  Json json = Json::object();
  for (const auto& [name, summary] : of) json[name] = json_of<Summary>(summary, summary_fields());
  return json;
}

Json excluded_json(const datasets::ExcludedRows& of) {
  return {{"flag", of[Exclusion::flag]},
          {"untuned", of[Exclusion::untuned]},
          {"requirement", of[Exclusion::requirement]},
          {"other", of[Exclusion::other] + of[Exclusion::unnamed]},
          {"duplicate", of[Exclusion::duplicate]}};
}

/// Of a row that is_hung() holds for.
const Field<ValidatedRow> hung_fields[] = {
    {{"id", ""}, &ValidatedRow::id}, {{"ratio", ""}, [](const ValidatedRow& row) {
                                        return *row.step_time_measured / *row.step_time_simulated;
                                      }}};

/// A curve that is simulated by one line has no simulated crossover.
Json crossovers_json(const std::vector<Crossover>& crossovers) {
  const datasets::CrossoverSummary summary = summary_of(crossovers);
  return {{"n", summary.n},
          {"share_within_factor_3", json_of(summary.within)},
          {"median_factor", json_of(summary.median_factor)},
          {"curves", json_of(table_of<Crossover>(crossovers, crossover_fields()))}};
}

constexpr const char* baseline_text =
    "Many constants were fitted to or read off the same measurements, by us and by others: the "
    "column \"in sample\" says where, the list below what, docs/calibration.md by which command, "
    "and the files in scenarios/stacks, scenarios/networks and scenarios/hardware name the source "
    "of each constant. A change of the physics commits this file anew, so that its effect shows "
    "here line by line.";

constexpr const char* not_shipped_text =
    "One table of the collection that these come from does not ship and is not here: 223 rows of "
    "nccl-tests on a cluster of B200 (transcribed_sweeps), whose repository could not be "
    "identified. Some efficiencies of the NDR networks come from the same cluster. "
    "datasets/measured/SOURCES.md says where every other table is from.";

std::string errors_of(const char* rows, const Summary& of) {
  if (of.n == 0) return "";
  return " Of the " + grouped(of.n) + " timed " + rows + ", the median error is " +
         percent(*of.median_abs_rel_error) + ", nine in ten are below " +
         percent(*of.p90_abs_rel_error) + ", and the bias is " + signed_percent(*of.bias) + ".";
}

std::string head(const Validation& validation, const Summaries& summaries) {
  const Summary& all = summaries.overall;
  const std::string skipped = grouped(validation.skipped.size());
  if (validation.rows.empty()) {
    return validation.skipped.empty() ? "No row of these tables is wanted."
                                      : "None of the " + skipped + " wanted rows can be simulated.";
  }
  return "The simulator beside " +
         counted(validation.rows.size(), "published measurement", "published measurements") +
         " of " + counted(summaries.sources.size(), "source", "sources") + ", " + grouped(all.n) +
         " of them timed; " + skipped + " more cannot be simulated (coverage " +
         percent(*all.coverage) + ")." + errors_of("runs", summaries.runs) +
         errors_of("collectives", summaries.collectives);
}

void add_head(const Validation& validation, const Summaries& summaries,
              const ValidationOrigin& origin, Document& document) {
  if (!origin.command.empty()) {
    document.add(Paragraph{"This command makes this file; edits by hand are lost."},
                 Media::markdown);
    document.add(Command{origin.command + " --markdown " + origin.markdown_file}, Media::markdown);
  }
  document.add(Paragraph{head(validation, summaries)});
  if (origin.shipped) document.add(Paragraph{baseline_text}, Media::markdown);
}

void add_origin(const ValidationOrigin& origin, Document& document) {
  document.add(Heading{"How to make this again", "origin"}, Media::html);
  if (!origin.command.empty()) document.add(Command{origin.command + " --out DIR"}, Media::html);
  const std::string version = support::new_document("report").at("version");
  document.add(
      Paragraph{"The same version gives the same bytes. Page by cubicbench " + version + "."},
      Media::html);
}

}  // namespace

Document validation_document(const Validation& validation, const Summaries& summaries,
                             const ValidationOrigin& origin, const predictor::Ablation* ablation,
                             const Strangers* strangers) {
  Document document{.title = "Simulated against measured", .contents = true};
  add_head(validation, summaries, origin, document);
  add_times(validation, summaries, document);
  if (strangers != nullptr) add_strangers(*strangers, document);
  add_peers(validation, datasets::peer_results(), document);
  add_memory(validation, summaries, document);
  add_collectives(validation, summaries, document);
  add_ranks(validation, summaries, document);
  add_worst(validation, summaries, document);
  if (ablation != nullptr) add_ablation(*ablation, document);
  if (strangers != nullptr) add_sources_left_out(*strangers, document);
  add_left_out(validation, document);
  if (origin.shipped) document.add(Paragraph{not_shipped_text}, Media::markdown);
  add_origin(origin, document);
  return document;
}

Json validation_json(const Validation& validation, const Summaries& summaries) {
  Json document = support::new_document("validate");
  document["rows"] = json_of(table_of<ValidatedRow>(validation.rows, row_fields()));
  document["skipped"] = json_of(table_of<ValidatedRow>(validation.skipped, skipped_fields()));
  document["excluded"] = excluded_json(validation.excluded);
  document["summary"] = json_of<Summary>(summaries.overall, summary_fields());
  document["sources"] = summaries_json(summaries.sources);
  document["by_part"] = summaries_json(summaries.parts);
  document["by_family"] = summaries_json(summaries.families);
  document["hung"] = json_of(table_of<ValidatedRow>(
      rows_where(all_rows(validation.rows), datasets::is_hung), hung_fields));
  if (summaries.collectives.has_sizes()) {
    document["crossovers"] = crossovers_json(crossovers_of(validation));
  }
  return document;
}

}  // namespace cubicbench::results
