#include "predictor/calibration/collective_calibration.h"

#include <cmath>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/fits/collective_plan.h"
#include "predictor/calibration/calibrated.h"
#include "predictor/calibration/told_constants.h"
#include "scenarios/constants/collective_constants.h"
#include "scenarios/readers/fitted_description.h"
#include "sim/base/numeric.h"
#include "sim/network/collective.h"
#include "support/csv.h"

namespace cubicbench::predictor {
namespace {

using Names = std::vector<std::string>;
using Rows = std::vector<CalibrationCollective>;
using scenarios::CollectiveConstant;

template <class Costs>
std::vector<const CollectiveConstant<Costs>*> knobs_of(const Names& names) {
  std::vector<const CollectiveConstant<Costs>*> knobs;
  for (const std::string& name : names) {
    if constexpr (std::is_same_v<Costs, sim::DomainCosts>) {
      knobs.push_back(scenarios::find_domain_constant(name));
    } else {
      knobs.push_back(scenarios::find_fabric_constant(name));
    }
  }
  return knobs;
}

/// Those costs of a network that files of one kind give.
sim::DomainCosts& part_of(sim::Network& network, const sim::DomainCosts& /*kind*/) {
  return network.intra;
}
sim::FabricCosts& part_of(sim::Network& network, const sim::FabricCosts& /*kind*/) {
  return network.inter;
}

/// Collectives as a function of the numbers under trial.
template <class Costs>
class CollectiveTrial {
 public:
  using Knobs = std::vector<const CollectiveConstant<Costs>*>;

  CollectiveTrial(const Rows& rows, const Knobs& knobs, const Costs& costs)
      : rows_(rows), knobs_(knobs), costs_(costs) {}

  std::vector<double> sizes(std::span<const double> values) const {
    std::vector<double> sizes;
    each(values, [&](double ratio, double) { sizes.push_back(std::abs(ratio - 1.0)); });
    return sizes;
  }

  void residuals(std::span<const double> values, std::span<double> into) const {
    std::size_t at = 0;
    each(values, [&](double ratio, double weight) { into[at++] = weight * sim::log(ratio); });
  }

 private:
  /// Simulated over measured, and the row's weight.
  template <class Visit>
  void each(std::span<const double> values, Visit visit) const {
    Costs costs = costs_;
    for (std::size_t k = 0; k < knobs_.size(); ++k) set_value(*knobs_[k], values[k], costs);
    for (const CalibrationCollective& row : rows_) {
      sim::Network network = row.asked.network;
      part_of(network, costs) = costs;
      const sim::Seconds time =
          sim::collective_cost(row.asked.operation, row.asked.size, row.asked.group, network).time;
      visit(time / row.measured, row.weight);
    }
  }

  const Rows& rows_;
  const Knobs& knobs_;
  const Costs& costs_;
};

/// A curve and a class of its sizes.
using Stretch = std::tuple<std::string, std::string, std::int64_t, std::size_t>;

/// Evens out how much curves count that have many sizes in a stretch and few.
void weigh(const std::vector<Stretch>& stretches, Rows& rows) {
  std::map<Stretch, double> counts;
  for (const Stretch& stretch : stretches) ++counts[stretch];
  const double mean = static_cast<double>(rows.size()) / static_cast<double>(counts.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].weight = std::sqrt(mean / counts[stretches[i]]);
  }
}

/// A collective that is simulated with `costs`, or why the row is none.
std::string add_row(const datasets::CollectiveMeasurement& row, const std::string& costs,
                    Rows& rows) {
  if (row.placement == "in_place") return "in place";
  const datasets::MappedCollective mapped = datasets::simulate_collective(row);
  if (!mapped.asked) return mapped.reason;
  const bool inside = sim::nodes_of(mapped.asked->group) == 1;
  const std::string& of = inside ? mapped.asked->domain_costs : mapped.asked->fabric_costs;
  if (of != costs) return inside ? "another device generation" : "another fabric";
  rows.push_back({.asked = *mapped.asked,
                  .measured = sim::Seconds{*datasets::seconds_of(row)},
                  .system = row.system});
  return "";
}

datasets::CollectiveMeasurements read_table(const std::string& name, const std::string& where) {
  const datasets::TableText text = datasets::find_table(name, where);
  return datasets::read_collective_measurements(support::read_csv(text.text, text.file), text.file);
}

/// Those that the file gives.
Names given_names(const CalibratedCosts& costs) {
  Names names;
  for (const std::string& name : scenarios::constant_names(costs.costs)) {
    const double value = std::visit(
        [&]<class Costs>(const Costs& of) {
          return scenarios::value_of(*knobs_of<Costs>({name}).front(), of);
        },
        costs.costs);
    if (value > 0.0) names.push_back(name);
  }
  return names;
}

/// Without the last bit that a change of unit may leave.
double as_written(double value) {
  constexpr double close = 1e-12;
  const double rounded = scenarios::four_digits(value);
  return std::abs(rounded - value) <= close * std::abs(value) ? rounded : value;
}

}  // namespace

CalibratedCosts find_costs(const std::string& name_or_path, const std::string& where) {
  CalibratedCosts costs;
  costs.subject.kind = CalibrationSubject::collectives;
  costs.subject.document =
      scenarios::find_document(scenarios::Kind::collectives, name_or_path, "", where);
  std::vector<support::Problem> problems;
  costs.costs = scenarios::read_collective_costs(costs.subject.document, problems);
  support::throw_if_any(problems);
  costs.subject.name = scenarios::described_name(costs.subject.document);
  costs.subject.shipped =
      scenarios::text(scenarios::Kind::collectives, costs.subject.name).has_value();
  return costs;
}

CalibrationRuns calibration_collectives(std::span<const datasets::CollectiveMeasurements> tables,
                                        const std::string& costs) {
  CalibrationRuns runs;
  std::vector<Stretch> stretches;
  for (const datasets::CollectiveMeasurements& table : tables) {
    for (const datasets::CollectiveMeasurement& row : table.rows) {
      const std::string reason = add_row(row, costs, runs.collectives);
      if (!reason.empty()) {
        ++runs.skipped[reason];
        continue;
      }
      const CalibrationCollective& added = runs.collectives.back();
      stretches.emplace_back(row.system + row.gpu, row.collective, added.asked.group.ranks,
                             datasets::size_class_of(added.asked.size.value));
    }
  }
  if (!runs.collectives.empty()) weigh(stretches, runs.collectives);
  return runs;
}

std::optional<CalibrationTask> planned_task(const CalibratedCosts& costs) {
  const datasets::CollectivePlan* const plan = datasets::find_collective_plan(costs.subject.name);
  if (plan == nullptr) return std::nullopt;
  CalibrationTask task = task_of_tables(costs, plan->tables, plan->fit, plan->of);
  task.fit_is_default = true;
  return task;
}

CalibrationTask task_of_tables(const CalibratedCosts& costs, std::span<const std::string> tables,
                               std::vector<std::string> fit, const std::string& where) {
  CalibrationTask task{.of = costs.subject.name, .fit = std::move(fit)};
  std::vector<datasets::CollectiveMeasurements> read;
  for (const std::string& table : tables) {
    read.push_back(read_table(table, where));
    task.tables.push_back(read.back().name);
  }
  task.rows = calibration_collectives(read, costs.subject.name);
  task.fit_is_default = task.fit.empty();
  if (task.fit_is_default) {
    const auto* plan = datasets::find_collective_plan(costs.subject.name);
    task.fit = plan != nullptr ? plan->fit : given_names(costs);
  }
  return task;
}

FinishedCalibration run_calibration(const CalibratedCosts& costs, CalibrationTask task,
                                    const std::string& where) {
  require_rows(task, where);
  Calibration result = fit_told(task, where, [&](const Names& fit) {
    return std::visit(
        [&]<class Costs>(const Costs& of) {
          const auto knobs = knobs_of<Costs>(fit);
          std::vector<Unknown> unknowns;
          for (const auto* knob : knobs) unknowns.push_back(unknown_of(*knob, of));
          return calibrated(task.rows.collectives, unknowns, [&](const Rows& rows) {
            return CollectiveTrial<Costs>(rows, knobs, of);
          });
        },
        costs.costs);
  });
  for (FittedConstant& constant : result.constants) constant.before = as_written(constant.before);
  return {.task = std::move(task), .result = std::move(result)};
}

}  // namespace cubicbench::predictor
