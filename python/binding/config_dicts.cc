#include "python/binding/config_dicts.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::python {
namespace {

namespace py = pybind11;
using scenarios::Configuration;

bool is_bool(py::handle value) { return PyBool_Check(value.ptr()) != 0; }

/// What `value` equals in a dict, or null. A value that cannot be a key equals nothing.
PyObject* found_in(const py::dict& dict, py::handle value) {
  PyObject* const found = PyDict_GetItemWithError(dict.ptr(), value.ptr());
  if (found == nullptr) PyErr_Clear();
  return found;
}

/// The Python number that a number of NumPy holds; other objects as they are.
py::object native(py::handle value) {
  if (!py::hasattr(value, "dtype") || !py::hasattr(value, "item")) {
    return py::reinterpret_borrow<py::object>(value);
  }
  return value.attr("item")();
}

std::string shown(py::handle value) {
  return support::shortened(py::repr(value).cast<std::string>());
}

/// "1, 2, 4", as Python writes them; of many the first three and the last.
std::string listing(const py::list& values) {
  constexpr std::size_t shown_max = 12;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.size() > shown_max && i >= 3 && i + 1 < values.size()) {
      if (i == 3) texts.emplace_back("...");
      continue;
    }
    texts.push_back(shown(values[i]));
  }
  return support::joined(texts, ", ");
}

}  // namespace

py::object value_object(const scenarios::Setting& setting, std::int64_t code) {
  const nlohmann::ordered_json value = json_of(setting, code);
  if (value.is_boolean()) return py::bool_(value.get<bool>());
  if (value.is_string()) return py::str(value.get<std::string>());
  if (value.is_number_float()) return py::float_(value.get<double>());
  return py::int_(value.get<std::int64_t>());
}

ConfigDicts::ConfigDicts(const scenarios::SearchSpace& space) : space_(space) {
  for (const scenarios::Parameter& parameter : space.parameters()) {
    Known known;
    known.name = py::str(std::string(parameter.setting->name));
    PyUnicode_InternInPlace(&known.name.ptr());
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
      const py::object value = value_object(*parameter.setting, parameter.values[i]);
      known.values.append(value);
      // True equals 1 for Python. No parameter lists both, but see index_of().
      known.index_of[value] = py::int_(i);
    }
    known_.push_back(std::move(known));
  }
}

std::int64_t ConfigDicts::index_of(std::size_t parameter, py::handle value) const {
  const Known& known = known_[parameter];
  const scenarios::SettingKind kind = space_.parameters()[parameter].setting->kind;
  const bool wants_integers =
      kind != scenarios::SettingKind::thousandths && kind != scenarios::SettingKind::number;
  py::object held;
  if (!PyLong_CheckExact(value.ptr()) && !PyUnicode_CheckExact(value.ptr()) && !is_bool(value)) {
    held = native(value);
    value = held;
  }
  PyObject* const found = found_in(known.index_of, value);
  if (found == nullptr) return -1;
  if (wants_integers && PyFloat_Check(value.ptr())) return -1;
  const std::int64_t index = PyLong_AsLongLong(found);
  const py::handle listed = PyList_GET_ITEM(known.values.ptr(), index);
  return is_bool(listed) == is_bool(value) ? index : -1;
}

Configuration ConfigDicts::read(const py::dict& config) const {
  Configuration configuration(known_.size(), scenarios::inactive);
  std::size_t seen = 0;
  bool wrong = false;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    PyObject* const value = PyDict_GetItemWithError(config.ptr(), known_[i].name.ptr());
    if (value == nullptr && PyErr_Occurred()) throw py::error_already_set();
    if (value != nullptr) ++seen;
    if (!space_.active(configuration, i)) continue;
    configuration[i] = value == nullptr ? -1 : index_of(i, value);
    if (configuration[i] >= 0) continue;
    wrong = true;
    configuration[i] = 0;  // a condition may read it
  }
  if (wrong || seen != config.size()) refuse(config);
  return configuration;
}

void ConfigDicts::refuse(const py::dict& config) const {
  std::vector<support::Problem> problems;
  std::vector<std::string_view> names;
  for (const scenarios::Parameter& parameter : space_.parameters()) {
    names.push_back(parameter.setting->name);
  }
  for (const auto& [key, value] : config) {
    if (py::isinstance<py::str>(key) && space_.find(key.cast<std::string>()) >= 0) continue;
    const std::string name = py::str(key).cast<std::string>();
    problems.push_back(
        {"config#/" + name, "unknown parameter" + support::did_you_mean(name, names)});
  }
  Configuration configuration(known_.size(), scenarios::inactive);
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (!space_.active(configuration, i)) continue;
    const bool given = config.contains(known_[i].name);
    const std::int64_t index = given ? index_of(i, config[known_[i].name]) : -1;
    configuration[i] = std::max<std::int64_t>(index, 0);
    if (index >= 0) continue;
    const std::string got = given ? shown(config[known_[i].name]) : "nothing";
    const char* const expected = known_[i].values.size() == 1 ? "expected " : "expected one of ";
    problems.push_back({"config#/" + std::string(names[i]),
                        expected + listing(known_[i].values) + ", got " + got});
  }
  throw support::InputError(std::move(problems));
}

py::dict ConfigDicts::write(std::span<const std::int64_t> configuration) const {
  py::dict config;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (configuration[i] < 0) continue;
    PyObject* const value = PyList_GET_ITEM(known_[i].values.ptr(), configuration[i]);
    if (PyDict_SetItem(config.ptr(), known_[i].name.ptr(), value) != 0) {
      throw py::error_already_set();
    }
  }
  return config;
}

}  // namespace cubicbench::python
