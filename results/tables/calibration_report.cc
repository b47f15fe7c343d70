#include "results/tables/calibration_report.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/tables/law_errors.h"
#include "scenarios/readers/fitted_description.h"
#include "support/joined.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using Finished = predictor::FinishedCalibration;
using predictor::Calibration;
using predictor::FittedConstant;

const Field<FittedConstant> fields[] = {
    {{"name", "constant"}, &FittedConstant::name},
    {{"before", "before", Show::plain}, &FittedConstant::before},
    {{"after", "after", Show::plain}, &FittedConstant::after},
    {{"low", "90 % from", Show::plain}, &FittedConstant::low},
    {{"high", "to", Show::plain}, &FittedConstant::high}};

bool of_collectives(const Finished& fit) { return !fit.task.rows.collectives.empty(); }

/// What rows are left out by: of runs a model, of kernels a group, of collectives a system.
std::string model_noun(const Finished& fit) {
  if (!fit.sources.empty()) return "source";
  if (of_collectives(fit)) return "system";
  return fit.task.rows.kernels.empty() ? "model" : "group";
}

/// "1,127 runs of 8 models in vtrain".
std::string rows_text(const Finished& fit) {
  std::string text;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) text += (text.empty() ? "" : " and ") + counted(count, one, many);
  };
  add(fit.task.rows.runs.size(), "run", "runs");
  add(fit.task.rows.kernels.size(), "timed kernel", "timed kernels");
  add(fit.task.rows.collectives.size(), "timed collective", "timed collectives");
  const std::string noun = model_noun(fit);
  text += " of " + counted(fit.result.models, noun, noun + "s");
  return text + " in " + support::joined(fit.task.tables, ", ");
}

std::string interval_text(const FittedConstant& constant) {
  return "90 % interval " + support::shortest(constant.low) + " to " +
         support::shortest(constant.high) + (constant.at_bound ? ", at its bound" : "");
}

/// "7.1 % before, 5.6 % after, 6.2 % of each model by fits to the others".
std::string errors_text(const Finished& fit) {
  const Calibration& result = fit.result;
  std::string text =
      percent(result.error_before) + " before, " + percent(result.error_after) + " after";
  if (result.error_left_out) {
    text += ", " + percent(*result.error_left_out) + " of each " +
            (of_collectives(fit)    ? "system"
             : !fit.sources.empty() ? "source"
                                    : "model") +
            " by fits to the others";
  }
  return text;
}

std::string provenance(const predictor::CalibratedSubject& subject, const Finished& fit,
                       const std::string& command) {
  const bool own = fit.task.of == subject.name;
  return (own ? std::string() : "as " + fit.task.of + ": ") + "fitted to " + rows_text(fit) +
         ", median error " + errors_text(fit) + "; repeated by: " + command;
}

/// "1,200 another device; 3 quality flag"
std::string skipped_text(const Finished& fit) {
  return support::joined(predictor::skipped_by_count(fit.task.rows), "; ", [](const auto& skipped) {
    return grouped(skipped.second) + " " + skipped.first;
  });
}

/// What a reader of the numbers would miss.
std::vector<std::string> notes_of(const Finished& fit) {
  std::vector<std::string> notes;
  for (const FittedConstant& constant : fit.result.constants) {
    if (!constant.at_bound) continue;
    notes.push_back(std::string(constant.name) + " is at its bound, " +
                    support::shortest(constant.after) +
                    ": these rows would have it beyond what a file may give, so it stands for "
                    "something else.");
  }
  const std::string before = percent(fit.result.error_before);
  const std::string after = percent(fit.result.error_after);
  if (fit.result.error_after > fit.result.error_before && after != before) {
    notes.push_back("The median error is higher after the fit, " + after + " against " + before +
                    ": the fit lowers a robust sum over all rows, not the middle one.");
  }
  for (const std::string& name : fit.task.left) {
    notes.push_back(name + " is left as it is: the rows do not tell it from the others.");
  }
  if (!fit.result.by_model) {
    const bool systems = of_collectives(fit);
    notes.push_back(std::string("There are not five ") + (systems ? "systems" : "models") +
                    " more than constants, so the intervals count every row as an observation of "
                    "its own: they are too narrow where " +
                    (systems ? "sizes of a system" : "runs of a model") + " err alike.");
  }
  return notes;
}

Json fit_json(const Finished& fit) {
  Json json;
  json["name"] = json_of(Cell::or_null(fit.task.name));
  json["rows_of"] = fit.task.of;
  json["tables"] = fit.task.tables;
  json["runs"] = fit.task.rows.runs.size();
  json["kernels"] = fit.task.rows.kernels.size();
  if (of_collectives(fit)) json["collectives"] = fit.task.rows.collectives.size();
  json["models"] = fit.result.models;
  json["interval_by"] = fit.result.by_model ? "model" : "row";
  json["fit"] = Json::array();
  for (const FittedConstant& constant : fit.result.constants) json["fit"].push_back(constant.name);
  json["error_before"] = fit.result.error_before;
  json["error_after"] = fit.result.error_after;
  json["error_left_out"] = json_of(Cell(fit.result.error_left_out));
  json["skipped"] = Json::object();
  for (const auto& [reason, count] : fit.task.rows.skipped) json["skipped"][reason] = count;
  if (!fit.sources.empty()) json["sources"] = law_errors_json(fit.sources);
  json["notes"] = notes_of(fit);
  return json;
}

void add_fit(const predictor::CalibratedSubject& subject, const Finished& fit, Document& document) {
  std::string head = fit.task.name.empty() ? std::string() : fit.task.name + ": ";
  if (fit.task.of != subject.name) head += "as " + fit.task.of + ", ";
  document.add(Paragraph{head + rows_text(fit)});
  document.add(table_of<FittedConstant>(fit.result.constants, fields));
  document.add(Paragraph{"Median error " + errors_text(fit) + "."});
  if (!fit.sources.empty()) document.add(law_errors_table(fit.sources));
  for (const std::string& note : notes_of(fit)) document.add(Paragraph{note});
  const std::string skipped = skipped_text(fit);
  if (!skipped.empty()) document.add(Paragraph{"Not used: " + skipped + "."});
}

/// Median over the rows of all fits; null where one of them has no such errors, as a fit to one
/// model has none of models left out.
Json median_error(std::span<const Finished> calibrations, std::vector<double> Calibration::*sizes) {
  std::vector<double> errors;
  for (const Finished& fit : calibrations) {
    const std::vector<double>& of = fit.result.*sizes;
    if (of.empty()) return {};
    errors.insert(errors.end(), of.begin(), of.end());
  }
  return support::median(errors);
}

}  // namespace

Json calibration_json(const predictor::CalibratedSubject& subject,
                      std::span<const Finished> calibrations, const std::string& file) {
  Json document = support::new_document("calibrate");
  document["constants"] = Json::array();
  for (const Finished& fit : calibrations) {
    for (const FittedConstant& constant : fit.result.constants) {
      document["constants"].push_back(json_of<FittedConstant>(constant, fields));
      document["constants"].back()["rows"] = fit.result.rows;
    }
  }
  document["error_before"] = median_error(calibrations, &Calibration::sizes_before);
  document["error_after"] = median_error(calibrations, &Calibration::sizes_after);
  document["error_left_out"] = median_error(calibrations, &Calibration::sizes_left_out);
  document["subject"] = {{"kind", datasets::name_of(subject.kind)}, {"name", subject.name}};
  document["fits"] = Json::array();
  for (const Finished& fit : calibrations) document["fits"].push_back(fit_json(fit));
  document["files"] = {file};
  return document;
}

Document calibration_document(const predictor::CalibratedSubject& subject,
                              std::span<const Finished> calibrations) {
  Document document;
  for (const Finished& fit : calibrations) add_fit(subject, fit, document);
  return document;
}

std::string fitted_file(const predictor::CalibratedSubject& subject,
                        std::span<const Finished> calibrations, const std::string& command) {
  std::vector<scenarios::FittedNumber> numbers;
  for (const Finished& fit : calibrations) {
    for (const FittedConstant& constant : fit.result.constants) {
      numbers.push_back({.name = std::string(constant.name),
                         .value = constant.after,
                         .interval = interval_text(constant),
                         .source = provenance(subject, fit, command)});
    }
  }
  return scenarios::with_fitted(subject.document, numbers);
}

}  // namespace cubicbench::results
