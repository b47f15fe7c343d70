#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "python/binding/bound_problem.h"
#include "python/binding/bound_search.h"
#include "python/binding/bound_study.h"
#include "search/searchers/registry.h"
#include "search/study/telling.h"
#include "support/input_error.h"

namespace py = pybind11;

namespace cubicbench::python {
namespace {

py::object reason_text(const BoundTrial& trial) {
  if (trial.told.reason == scenarios::Reason::none) return py::none();
  return py::str(std::string(name_of(trial.told.reason)));
}

/// An int where it is one, as it is while all launches are whole.
py::object count_of(double launches) {
  const auto whole = static_cast<std::int64_t>(launches);
  if (static_cast<double>(whole) == launches) return py::int_(whole);
  return py::float_(launches);
}

std::string state_text(const BoundTrial& trial) { return std::string(name_of(trial.told.state)); }

std::string repr_of(const BoundTrial& trial) {
  const std::string end = trial.value ? py::str(py::float_(*trial.value)).cast<std::string>()
                                      : py::str(reason_text(trial)).cast<std::string>();
  return "<trial " + std::to_string(trial.told.trial) + ": " + state_text(trial) + ", " + end + ">";
}

void bind_problem(py::module_& module) {
  py::class_<BoundProblem, std::shared_ptr<BoundProblem>>(module, "Problem")
      .def(py::init<const std::string&, std::int64_t, const std::optional<std::string>&>(),
           py::arg("scenario"), py::arg("instance"), py::arg("salt"))
      .def_property_readonly("name", [](const BoundProblem& p) { return p.scenario().name; })
      .def_property_readonly("summary", [](const BoundProblem& p) { return p.scenario().summary; })
      .def_property_readonly("instance",
                             [](const BoundProblem& p) { return p.instance().number(); })
      .def_property_readonly("scenario_sha256",
                             [](const BoundProblem& p) { return p.scenario().sha256; })
      .def_property_readonly("truth_sha256", &BoundProblem::truth_sha256)
      .def_property_readonly("trials",
                             [](const BoundProblem& p) { return p.scenario().budget.trials; })
      .def_property_readonly("configurations",
                             [](const BoundProblem& p) { return p.scenario().space.count(); })
      .def("parameters", &BoundProblem::parameters)
      .def("constraints", &BoundProblem::constraints)
      .def("baseline", &BoundProblem::baseline)
      .def("objective", &BoundProblem::objective)
      .def("violated", &BoundProblem::violated, py::arg("config"))
      .def("config_at", &BoundProblem::config_at, py::arg("number"))
      .def("codes", &BoundProblem::codes)
      .def("codes_of", &BoundProblem::codes_of, py::arg("configs"))
      .def("true_value", &BoundProblem::true_value, py::arg("config"))
      .def("true_values", &BoundProblem::true_values, py::arg("codes"), py::arg("threads"))
      .def("all_true_values", &BoundProblem::all_true_values, py::arg("threads"))
      .def("seconds_in_cpp", &BoundProblem::seconds_in_cpp, py::arg("codes"));
}

void bind_study(py::module_& module) {
  py::class_<BoundTrial>(module, "Trial")
      .def_property_readonly("trial", [](const BoundTrial& t) { return t.told.trial; })
      .def_property_readonly("config", &BoundTrial::config)
      .def_property_readonly("state", &state_text)
      .def_property_readonly("reason", &reason_text)
      .def_readonly("value", &BoundTrial::value)
      .def_property_readonly("score", [](const BoundTrial& t) { return t.told.score; })
      .def_property_readonly("over_bytes", [](const BoundTrial& t) { return t.told.over_bytes; })
      .def_property_readonly("peak_bytes", [](const BoundTrial& t) { return t.told.peak_bytes; })
      .def_property_readonly("cost_gpu_hours",
                             [](const BoundTrial& t) { return t.told.cost_gpu_hours; })
      .def_property_readonly("fidelity", [](const BoundTrial& t) { return t.told.fidelity; })
      .def("__repr__", &repr_of);

  py::class_<BoundStudy, std::shared_ptr<BoundStudy>>(module, "Study")
      .def("ask", &BoundStudy::ask)
      .def("evaluate", &BoundStudy::evaluate, py::arg("config"), py::arg("fidelity") = py::none())
      .def("tell", &BoundStudy::tell, py::arg("trial"))
      .def("run", &BoundStudy::run)
      .def("close", &BoundStudy::close, py::arg("recommended"))
      .def("abandon", &BoundStudy::abandon)
      .def("true_value", &BoundStudy::true_value, py::arg("config"))
      .def_property_readonly("is_closed", &BoundStudy::is_closed)
      .def_property_readonly("name", &BoundStudy::name)
      .def_property_readonly("searcher", [](const BoundStudy& s) { return s.spec().searcher.text; })
      .def_property_readonly("seed", [](const BoundStudy& s) { return s.spec().seed; })
      .def_property_readonly(
          "telling", [](const BoundStudy& s) { return std::string(name_of(s.spec().telling)); })
      .def_property_readonly("known", &BoundStudy::known)
      .def_property_readonly("notes", &BoundStudy::notes)
      .def_property_readonly("baseline_trial", &BoundStudy::baseline_trial)
      .def_property_readonly(
          "problem",
          [](const BoundStudy& s) { return std::const_pointer_cast<BoundProblem>(s.problem()); })
      .def_property_readonly(
          "launches_left", [](const BoundStudy& s) { return count_of(s.balance().launches_left); })
      .def("balance", [](const BoundStudy& s) {
        const search::Balance balance = s.balance();
        return py::make_tuple(s.spec().trials, count_of(balance.launches),
                              count_of(balance.launches_left), balance.retries, balance.gpu_hours);
      });
}

/// What a study or a search is asked for, by name: `ask` has any of the fields of SearchAsk.
SearchAsk ask_of(const py::kwargs& given) {
  SearchAsk ask;
  const auto read = [&given](const char* name, auto& field) {
    if (given.contains(name)) field = given[name].cast<std::decay_t<decltype(field)>>();
  };
  read("scenarios", ask.scenarios);
  read("searcher", ask.searcher);
  read("trials", ask.trials);
  read("seeds", ask.seeds);
  read("instances", ask.instances);
  read("first_seed", ask.first_seed);
  read("first_instance", ask.first_instance);
  read("salt", ask.salt_file);
  read("telling", ask.telling);
  read("start", ask.start);
  read("permute", ask.permute);
  read("shard", ask.shard);
  read("backend", ask.backend);
  read("warm_start", ask.warm_start);
  return ask;
}

void bind_search(py::module_& module) {
  py::class_<BoundSearch, std::shared_ptr<BoundSearch>>(module, "Search")
      .def(py::init(
               [](const std::filesystem::path& out, bool resume, bool sync, const py::kwargs& ask) {
                 return std::make_shared<BoundSearch>(ask_of(ask), out, resume, sync);
               }),
           py::arg("out"), py::arg("resume"), py::arg("sync"))
      .def("__len__", &BoundSearch::size)
      .def_property_readonly("notes", &BoundSearch::notes)
      .def("is_finished", &BoundSearch::is_finished, py::arg("study"))
      .def("open", &BoundSearch::open, py::arg("study"))
      .def("finish", &BoundSearch::finish, py::arg("study"));
  module.def(
      "unrecorded_study",
      [](std::shared_ptr<BoundProblem> problem, const py::kwargs& ask) {
        return unrecorded_study(std::move(problem), ask_of(ask));
      },
      py::arg("problem"));
}

py::list searcher_list() {
  py::list list;
  for (const search::SearcherEntry& entry : search::searchers()) {
    list.append(py::make_tuple(std::string(entry.name), std::string(entry.summary)));
  }
  return list;
}

}  // namespace
}  // namespace cubicbench::python

PYBIND11_MODULE(_cubicbench, module) {
  namespace python = cubicbench::python;
  namespace support = cubicbench::support;
  namespace search = cubicbench::search;
  module.attr("__version__") = CUBICBENCH_VERSION;
  module.attr("REASONS") = py::tuple(py::cast(python::reason_names()));
  py::register_exception<support::InputError>(module, "InputError", PyExc_ValueError);
  py::register_exception<support::OutputError>(module, "OutputError", PyExc_OSError);
  py::register_exception<search::Refused>(module, "Refused", PyExc_RuntimeError);
  python::bind_problem(module);
  python::bind_study(module);
  python::bind_search(module);
  module.def("searchers", &python::searcher_list);
}
