#include "results/validation/validation_json.h"

#include <nlohmann/json.hpp>
#include <string>

#include "results/document/json.h"
#include "results/validation/crossovers.h"
#include "results/validation/row_fields.h"
#include "results/validation/summary_fields.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json summaries_json(const std::map<std::string, Summary>& of) {
  Json json = Json::object();
  for (const auto& [name, summary] : of) json[name] = json_of<Summary>(summary, summary_fields());
  return json;
}

Json excluded_json(const ExcludedRows& of) {
  return {{"flag", of[Exclusion::flag]},
          {"untuned", of[Exclusion::untuned]},
          {"requirement", of[Exclusion::requirement]},
          {"other", of[Exclusion::other] + of[Exclusion::unnamed]},
          {"duplicate", of[Exclusion::duplicate]}};
}

Json hung_json(const std::vector<ValidatedRow>& rows) {
  Json json = Json::array();
  for (const ValidatedRow& row : rows) {
    if (!is_hung(row)) continue;
    json.push_back(
        {{"id", row.id}, {"ratio", json_of(*row.step_time_measured / *row.step_time_simulated)}});
  }
  return json;
}

/// A curve that is simulated by one line has no simulated crossover.
Json crossovers_json(const std::vector<Crossover>& crossovers) {
  const CrossoverSummary summary = summary_of(crossovers);
  return {{"n", summary.n},
          {"share_within_factor_3", json_of(summary.within)},
          {"median_factor", json_of(summary.median_factor)},
          {"curves", json_of(table_of<Crossover>(crossovers, crossover_fields()))}};
}

}  // namespace

Json validation_json(const Validation& validation, const Summaries& summaries) {
  Json document = support::new_document("validate");
  document["rows"] = json_of(table_of<ValidatedRow>(validation.rows, row_fields()));
  document["skipped"] = json_of(table_of<ValidatedRow>(validation.skipped, skipped_fields()));
  document["excluded"] = excluded_json(validation.excluded);
  document["summary"] = json_of<Summary>(summaries.overall, summary_fields());
  document["sources"] = summaries_json(summaries.sources);
  document["by_part"] = summaries_json(summaries.parts);
  document["by_family"] = summaries_json(summaries.families);
  document["hung"] = hung_json(validation.rows);
  if (summaries.collectives.has_sizes()) {
    document["crossovers"] = crossovers_json(crossovers_of(validation));
  }
  return document;
}

}  // namespace cubicbench::results
