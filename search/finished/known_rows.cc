#include "search/finished/known_rows.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/problem/table_setting.h"
#include "scenarios/space/setting.h"
#include "support/joined.h"

namespace cubicbench::search {
namespace {

using datasets::Measurement;
using scenarios::Assignment;
using scenarios::Scenario;

/// Does the row state another number than this?
bool differs(const std::optional<std::int64_t>& stated, std::int64_t here) {
  return stated && *stated != here;
}

bool is_path(const std::string& name) { return name.find('/') != std::string::npos; }

/// Why the row is no run of the scenario's model on its cluster; "" when it may be one.
std::string other_problem(const Measurement& row, const Scenario& scenario) {
  if (scenario.objective.metric == scenarios::Metric::column) {
    return "of training runs, which a table of trials does not know";
  }
  const int gpus = scenario.space.find("gpus");
  if (gpus < 0 && differs(row.n_gpus, scenario.cluster.gpus)) return "on other GPU counts";
  if (scenario.measured) return "";
  const bool named = !row.device.empty() && !is_path(scenario.device);
  if (named && row.device != scenario.device) return "on another device";
  const auto* const model = std::get_if<sim::Transformer>(&scenario.workload);
  if (model == nullptr) return "of a language model";
  if (differs(row.n_layers, model->layers) || differs(row.d_model, model->hidden)) {
    return "of another model";
  }
  return differs(row.seq_len, model->sequence) ? "of another sequence length" : "";
}

/// What the row says of a parameter; nothing where it says nothing.
std::optional<std::int64_t> stated_code(const Measurement& row, const scenarios::Setting& setting) {
  if (setting.name == "gpus") return row.n_gpus;
  const auto column = datasets::find_table_setting(setting.name);
  return column ? datasets::value_of(*column, row).code : std::nullopt;
}

}  // namespace

KnownRows::KnownRows(const std::string& place)
    : table_(datasets::find_measurements(place, "--warm-start")) {}

std::vector<KnownLaunch> KnownRows::of(const Scenario& scenario) {
  std::vector<KnownLaunch> known;
  for (const Measurement& row : table_.rows) {
    if (const std::string why = other_problem(row, scenario); !why.empty()) {
      ++left_out_[why];
      continue;
    }
    const auto outcome = datasets::outcome_of(row, scenario.objective.metric, scenario.job);
    if (!outcome) {
      ++left_out_["without a clean time"];
      continue;
    }
    std::vector<Assignment> assignment;
    for (const scenarios::Parameter& parameter : scenario.space.parameters()) {
      const std::optional<std::int64_t> stated = stated_code(row, *parameter.setting);
      if (!stated) assumed_.insert(std::string(parameter.setting->name));
      assignment.push_back({.setting = parameter.setting,
                            .value = stated.value_or(parameter.setting->read(scenario.baseline))});
    }
    const scenarios::Placement placement = scenario.space.from_assignment(assignment);
    if (!placement.in_space()) {
      ++left_out_["that are no configuration of the scenario"];
      continue;
    }
    known.push_back({config_text(scenario.space, placement.configuration), *outcome});
  }
  return known;
}

std::string KnownRows::left_out() const {
  std::string text;
  for (const auto& [why, count] : left_out_) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + why;
  }
  return text;
}

std::string KnownRows::note() const {
  const std::string left = left_out();
  return (left.empty() ? "" : ", rows left out: " + left) +
         (assumed_.empty() ? ""
                           : "; with the baseline's " + support::joined(assumed_, ", ") +
                                 " where none is stated");
}

std::string KnownRows::why() const {
  const std::string left = left_out();
  const std::size_t rows = table_.rows.size();
  return std::to_string(rows) + (rows == 1 ? " row" : " rows") + (left.empty() ? "" : ": " + left);
}

}  // namespace cubicbench::search
