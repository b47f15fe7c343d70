#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "python/binding/config_dicts.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::python {

/// Positions of values in their parameters, -1 where inactive: [configurations x parameters].
using CodeTable = pybind11::array_t<std::int32_t, pybind11::array::c_style>;

/// Configurations that one table in memory may have.
inline constexpr std::uint64_t table_rows_max = 2'000'000;

/// An instance of a scenario as Python sees it: what everybody may know of it, and what only the
/// truth knows, for who calls it to keep apart. Immutable; threads of Python may share it.
class BoundProblem {
 public:
  /// `salt_file` seals the instance. Throws InputError.
  BoundProblem(const std::string& name, std::int64_t instance,
               const std::optional<std::string>& salt_file);
  BoundProblem(scenarios::Scenario scenario, std::uint64_t instance, std::string truth_sha256);

  const scenarios::Scenario& scenario() const { return scenario_; }
  const scenarios::Instance& instance() const { return instance_; }
  const ConfigDicts& dicts() const { return dicts_; }
  /// As the header of a journal has it.
  const std::string& truth_sha256() const { return truth_sha256_; }

  /// Name, type, values, when and meaning of every parameter.
  pybind11::list parameters() const;
  /// Name and requirement of every constraint.
  pybind11::list constraints() const;
  /// Nothing where the scenario has none to grant.
  std::optional<pybind11::dict> baseline() const;
  pybind11::dict objective() const;

  /// Name of the first constraint that rejects the configuration, "listed" where the space is a
  /// list that lacks it; nothing where it is in the space.
  std::optional<std::string> violated(const pybind11::dict& config) const;

  pybind11::dict config_at(std::uint64_t number) const;
  /// Every configuration, in the order of their numbers. Throws InputError above `table_rows_max`.
  CodeTable codes() const;
  CodeTable codes_of(const pybind11::sequence& configs) const;

  /// The noise-free value, or nothing where the configuration does not run. Configurations outside
  /// the space do not.
  std::optional<double> true_value(const pybind11::dict& config) const;
  /// The noise-free values, NaN where a configuration does not run, and the numbers of the reasons
  /// (0: it runs). On up to `threads` threads (0: all cores), in any case the same.
  pybind11::tuple true_values(const CodeTable& codes, int threads) const;
  /// The same of all configurations, in the order of their numbers.
  pybind11::tuple all_true_values(int threads) const;

  /// Seconds that C++ takes for true_value() of each row, and for what a simulated launch asks: the
  /// outcome and the true value. For measuring what Python adds.
  pybind11::tuple seconds_in_cpp(const CodeTable& codes) const;

 private:
  void require_table_size() const;

  scenarios::Scenario scenario_;
  scenarios::Instance instance_;
  ConfigDicts dicts_;
  std::string truth_sha256_;
};

/// Names of the reasons, by their numbers; "" for none.
std::vector<std::string> reason_names();

}  // namespace cubicbench::python
