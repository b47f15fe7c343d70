#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"
#include "support/input_error.h"

namespace cubicbench::python {

/// Configurations as dicts of Python: names and values as the scenario's JSON has them, int, float,
/// str and bool, never one for the other. Numbers of NumPy count as what they hold.
///
/// Everything here needs the interpreter's lock.
class ConfigDicts {
 public:
  /// `space` must outlive it.
  explicit ConfigDicts(const scenarios::SearchSpace& space);

  /// The canonical configuration of a dict. Values of inactive parameters are ignored; constraints
  /// are not looked at. Throws InputError with every problem: an active parameter that is absent, a
  /// name that is no parameter, a value that the parameter does not list.
  scenarios::Configuration read(const pybind11::dict& config) const;

  /// Inverse of the above: the active parameters, in their order.
  pybind11::dict write(std::span<const std::int64_t> configuration) const;

  pybind11::str name(std::size_t parameter) const { return known_[parameter].name; }
  /// The parameter's values, in the scenario's order.
  pybind11::list values(std::size_t parameter) const { return known_[parameter].values; }

 private:
  struct Known {
    pybind11::str name{};
    pybind11::list values{};
    pybind11::dict index_of{};  ///< of a value in `values`
  };

  /// Index of the value in the parameter's list, or -1.
  std::int64_t index_of(std::size_t parameter, pybind11::handle value) const;
  /// Says everything that `read` found to be wrong, and throws it.
  [[noreturn]] void refuse(const pybind11::dict& config) const;

  const scenarios::SearchSpace& space_;
  std::vector<Known> known_;
};

/// The value of a setting, as the scenario's JSON has it.
pybind11::object value_object(const scenarios::Setting& setting, std::int64_t code);

}  // namespace cubicbench::python
