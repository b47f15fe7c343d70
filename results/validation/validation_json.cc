#include "results/validation/validation_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/tables/measurement_schema.h"
#include "results/simulation/part_names.h"
#include "results/validation/crossovers.h"
#include "results/validation/size_classes.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has neither NaN nor infinity: what could not be computed is null.
Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json text(const std::string& value) { return value.empty() ? Json() : Json(value); }

/// Sizes are whole bytes, and read better without a point.
Json bytes(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json row_json(const ValidatedRow& row) {
  const ValidatedMemory& memory = row.memory;
  Json json{{"id", row.id},
            {"source", row.source},
            {"family", row.family},
            {"file", row.file},
            {"n_experts", row.n_experts ? Json(*row.n_experts) : Json()},
            {"group", row.group},
            {"status_measured", datasets::name_of(row.status_measured)},
            {"status_simulated", name_of(row.status_simulated)},
            {"step_time_s_measured", number(row.step_time_measured)},
            {"step_time_s_simulated", number(row.step_time_simulated)},
            {"throughput_measured", number(row.throughput_measured)},
            {"throughput_simulated", number(row.throughput_simulated)},
            {"rel_error", number(row.rel_error)},
            {"peak_mem_gib_measured", number(memory.peak_measured)},
            {"peak_mem_gib_simulated", number(memory.peak_simulated)},
            {"mem_kind", text(memory.kind)},
            {"mem_rank", text(memory.rank)},
            {"static_gib_measured", number(memory.static_measured)},
            {"static_gib_simulated", number(memory.static_simulated)},
            {"memory_demand_gib", number(memory.demand)},
            {"memory_limit_gib", number(memory.limit)},
            {"assumed", row.assumed}};
  if (row.kind == RowKind::collective) {
    json["system"] = row.system;
    json["collective"] = row.collective;
    json["n_gpus"] = row.gpus;
    json["size_bytes"] = bytes(row.size_bytes);
  }
  return json;
}

Json oom_json(const OomSummary& of) {
  return {{"tp", of.tp},
          {"fp", of.fp},
          {"tn", of.tn},
          {"fn", of.fn},
          {"balanced_accuracy", number(of.balanced_accuracy)},
          {"auroc", number(of.auroc)},
          {"ladder_edges", number(of.ladder_edges)}};
}

Json error_json(const ErrorSummary& of) {
  return {{"n", of.n},
          {"median_abs_rel_error", number(of.median)},
          {"p90_abs_rel_error", number(of.p90)}};
}

Json sizes_json(const std::map<std::string, double>& of) {
  Json json = Json::object();
  for (const std::string_view size_class : size_classes) {
    const auto found = of.find(std::string(size_class));
    json[std::string(size_class)] = found == of.end() ? Json() : number(found->second);
  }
  return json;
}

Json summary_json(const Summary& of) {
  Json json{{"n", of.n},
            {"coverage", number(of.coverage)},
            {"families", of.families},
            {"median_abs_rel_error", number(of.median_abs_rel_error)},
            {"mean_abs_rel_error", number(of.mean_abs_rel_error)},
            {"p90_abs_rel_error", number(of.p90_abs_rel_error)},
            {"bias", number(of.bias)},
            {"median_family_abs_rel_error", number(of.median_family_abs_rel_error)},
            {"median_source_abs_rel_error", number(of.median_source_abs_rel_error)},
            {"family_kendall_median", number(of.family_kendall_median)},
            {"families_ranked", of.families_ranked},
            {"pair_kendall_5pct", number(of.pair_kendall_5pct)},
            {"group_top1_share", number(of.group_top1_share)},
            {"group_top1_ratio", number(of.group_top1_ratio)},
            {"oom", oom_json(of.oom)},
            {"memory", error_json(of.memory)},
            {"static", error_json(of.static_state)},
            {"n_hung", of.hung}};
  if (!of.by_size.empty()) {
    json["by_size"] = sizes_json(of.by_size);
    json["by_size_p90"] = sizes_json(of.by_size_p90);
  }
  return json;
}

Json summaries_json(const std::map<std::string, Summary>& of) {
  Json json = Json::object();
  for (const auto& [name, summary] : of) json[name] = summary_json(summary);
  return json;
}

Json rows_json(const std::vector<ValidatedRow>& rows) {
  Json json = Json::array();
  for (const ValidatedRow& row : rows) json.push_back(row_json(row));
  return json;
}

Json skipped_json(const std::vector<SkippedRow>& rows) {
  Json json = Json::array();
  for (const SkippedRow& row : rows) json.push_back({{"id", row.id}, {"reason", row.reason}});
  return json;
}

Json hung_json(const std::vector<ValidatedRow>& rows) {
  Json json = Json::array();
  for (const ValidatedRow& row : rows) {
    if (!is_hung(row)) continue;
    json.push_back(
        {{"id", row.id}, {"ratio", number(*row.step_time_measured / *row.step_time_simulated)}});
  }
  return json;
}

/// In MiB; a curve that is simulated by one line has no simulated crossover.
Json crossovers_json(const std::vector<Crossover>& crossovers) {
  constexpr double mebibyte = 0x1p20;
  const CrossoverSummary summary = summary_of(crossovers);
  Json curves = Json::array();
  for (const Crossover& of : crossovers) {
    curves.push_back({{"source", of.source},
                      {"system", of.system},
                      {"collective", of.collective},
                      {"n_gpus", of.gpus},
                      {"measured_mib", of.measured / mebibyte},
                      {"simulated_mib", of.simulated ? Json(*of.simulated / mebibyte) : Json()},
                      {"factor", number(factor_of(of))}});
  }
  return {{"n", summary.n},
          {"share_within_factor_3", number(summary.within)},
          {"median_factor", number(summary.median_factor)},
          {"curves", curves}};
}

}  // namespace

Json validation_json(const Validation& validation, const Summaries& summaries) {
  const ExcludedRows& excluded = validation.excluded;
  Json document = support::new_document("validate");
  document["rows"] = rows_json(validation.rows);
  document["skipped"] = skipped_json(validation.skipped);
  document["excluded"] = {{"flag", excluded[Exclusion::flag]},
                          {"untuned", excluded[Exclusion::untuned]},
                          {"requirement", excluded[Exclusion::requirement]},
                          {"other", excluded[Exclusion::other] + excluded[Exclusion::unnamed]},
                          {"duplicate", excluded[Exclusion::duplicate]}};
  document["summary"] = summary_json(summaries.overall);
  document["sources"] = summaries_json(summaries.sources);
  document["by_part"] = summaries_json(summaries.parts);
  document["by_family"] = summaries_json(summaries.families);
  document["hung"] = hung_json(validation.rows);
  if (!summaries.collectives.by_size.empty()) {
    document["crossovers"] = crossovers_json(crossovers_of(validation));
  }
  return document;
}

}  // namespace cubicbench::results
