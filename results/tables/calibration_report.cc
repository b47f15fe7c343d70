#include "results/tables/calibration_report.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/layout/columns.h"
#include "results/layout/number_text.h"
#include "results/layout/paragraph.h"
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

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json constants_json(const Calibration& result) {
  Json list = Json::array();
  for (const FittedConstant& constant : result.constants) {
    list.push_back({{"name", constant.name},
                    {"before", constant.before},
                    {"after", constant.after},
                    {"low", constant.low},
                    {"high", constant.high},
                    {"rows", result.rows}});
  }
  return list;
}

/// What rows are left out by: of runs a model, of kernels a group, of collectives a system.
std::string model_noun(const Finished& fit) {
  if (!fit.task.rows.collectives.empty()) return "system";
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
            (fit.task.rows.collectives.empty() ? "model" : "system") + " by fits to the others";
  }
  return text;
}

std::string provenance(const predictor::CalibratedSubject& subject, const Finished& fit,
                       const std::string& command) {
  const bool own = fit.task.of == subject.name;
  return (own ? std::string() : "as " + fit.task.of + ": ") + "fitted to " + rows_text(fit) +
         ", median error " + errors_text(fit) + "; repeated by: " + command;
}

std::string table_text(const Finished& fit) {
  std::vector<std::vector<std::string>> rows{{"CONSTANT", "BEFORE", "AFTER", "90 % FROM", "TO"}};
  for (const FittedConstant& constant : fit.result.constants) {
    rows.push_back({std::string(constant.name), support::shortest(constant.before),
                    support::shortest(constant.after), support::shortest(constant.low),
                    support::shortest(constant.high)});
  }
  return columns_text(rows);
}

std::string skipped_text(const Finished& fit) {
  std::string reasons;
  for (const auto& [reason, count] : predictor::skipped_by_count(fit.task.rows)) {
    reasons += (reasons.empty() ? "" : "; ") + grouped(count) + " " + reason;
  }
  return reasons.empty() ? "" : paragraph("Not used: ", 10, reasons);
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
    const bool of_collectives = !fit.task.rows.collectives.empty();
    notes.push_back(std::string("There are not five ") + (of_collectives ? "systems" : "models") +
                    " more than constants, so the intervals count every row as an observation of "
                    "its own: they are too narrow where " +
                    (of_collectives ? "sizes of a system" : "runs of a model") + " err alike.");
  }
  return notes;
}

Json fit_json(const Finished& fit) {
  Json skipped = Json::object();
  for (const auto& [reason, count] : fit.task.rows.skipped) skipped[reason] = count;
  Json json;
  json["name"] = fit.task.name.empty() ? Json() : Json(fit.task.name);
  json["rows_of"] = fit.task.of;
  json["tables"] = fit.task.tables;
  json["runs"] = fit.task.rows.runs.size();
  json["kernels"] = fit.task.rows.kernels.size();
  if (!fit.task.rows.collectives.empty()) {
    json["collectives"] = fit.task.rows.collectives.size();
  }
  json["models"] = fit.result.models;
  json["interval_by"] = fit.result.by_model ? "model" : "row";
  json["fit"] = Json::array();
  for (const FittedConstant& constant : fit.result.constants) json["fit"].push_back(constant.name);
  json["error_before"] = fit.result.error_before;
  json["error_after"] = fit.result.error_after;
  json["error_left_out"] = optional_json(fit.result.error_left_out);
  json["skipped"] = std::move(skipped);
  json["notes"] = notes_of(fit);
  return json;
}

std::string fit_text(const predictor::CalibratedSubject& subject, const Finished& fit) {
  std::string head = fit.task.name.empty() ? std::string() : fit.task.name + ": ";
  if (fit.task.of != subject.name) head += "as " + fit.task.of + ", ";
  std::string text = paragraph("", 0, head + rows_text(fit)) + "\n" + table_text(fit) + "\n";
  text += paragraph("", 0, "Median error " + errors_text(fit) + ".");
  for (const std::string& note : notes_of(fit)) text += paragraph("", 0, note);
  return text + skipped_text(fit);
}

void add_all(const std::vector<double>& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

CalibrationErrors errors_of(std::span<const Finished> calibrations) {
  std::vector<double> before;
  std::vector<double> after;
  std::vector<double> left_out;
  for (const Finished& fit : calibrations) {
    add_all(fit.result.sizes_before, before);
    add_all(fit.result.sizes_after, after);
    add_all(fit.result.sizes_left_out, left_out);
  }
  CalibrationErrors errors{
      .before = support::median(before), .after = support::median(after), .left_out = std::nullopt};
  if (left_out.size() == after.size()) errors.left_out = support::median(left_out);
  return errors;
}

Json calibration_json(const predictor::CalibratedSubject& subject,
                      std::span<const Finished> calibrations, const std::string& file) {
  const CalibrationErrors errors = errors_of(calibrations);
  Json document = support::new_document("calibrate");
  document["constants"] = Json::array();
  for (const Finished& fit : calibrations) {
    for (Json& constant : constants_json(fit.result)) document["constants"].push_back(constant);
  }
  document["error_before"] = errors.before;
  document["error_after"] = errors.after;
  document["error_left_out"] = optional_json(errors.left_out);
  document["subject"] = {{"kind", datasets::name_of(subject.kind)}, {"name", subject.name}};
  document["fits"] = Json::array();
  for (const Finished& fit : calibrations) document["fits"].push_back(fit_json(fit));
  document["files"] = {file};
  return document;
}

std::string calibration_text(const predictor::CalibratedSubject& subject,
                             std::span<const Finished> calibrations) {
  std::string text;
  for (const Finished& fit : calibrations) {
    text += (text.empty() ? "" : "\n") + fit_text(subject, fit);
  }
  return text;
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
