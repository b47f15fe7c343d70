#include "python/binding/bound_problem.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "datasets/exhaustive/valued_range.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/problem/granted_baseline.h"
#include "scenarios/problem/seal.h"
#include "scenarios/space/setting_words.h"
#include "scenarios/space/space_walk.h"
#include "scenarios/truth/true_values.h"
#include "search/backends/backend_factory.h"
#include "support/input_error.h"
#include "support/parallel.h"

namespace cubicbench::python {
namespace {

namespace py = pybind11;
using scenarios::Configuration;
using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrueValue;

/// Rows that a thread values at a time.
constexpr std::size_t block_rows = 4096;

Scenario read(const std::string& name, const std::optional<std::string>& salt_file) {
  const py::gil_scoped_release unlocked;
  const std::shared_ptr<const scenarios::Seal> seal =
      salt_file ? scenarios::read_seal(*salt_file) : nullptr;
  Scenario scenario = datasets::read_scenario(name, {}, seal);
  scenario.seal = seal;
  return scenario;
}

std::uint64_t checked(std::int64_t instance) {
  if (instance >= 0) return static_cast<std::uint64_t>(instance);
  throw support::InputError("instance",
                            "expected an integer of at least 0, got " + std::to_string(instance));
}

py::str text(std::string_view view) { return {view.data(), view.size()}; }

/// The true values of configurations that have nothing in common, so that what TrueValues remembers
/// of neighbours would cost more than it saves. Not to be shared by threads.
class Strangers {
 public:
  explicit Strangers(const scenarios::Instance& instance) : instance_(instance) {
    if (instance.scenario().measured) table_.emplace(instance);
  }

  /// Of a configuration that may be outside the space.
  TrueValue at(std::span<const std::int64_t> configuration) {
    if (!instance_.scenario().space.contains(configuration)) return {.reason = Reason::invalid};
    if (table_) return table_->at(configuration);
    return instance_.true_value(configuration, workspace_);
  }

 private:
  const scenarios::Instance& instance_;
  std::optional<scenarios::TrueValues> table_{};
  sim::Workspace workspace_{};
};

/// Values and reasons as arrays.
struct Columns {
  explicit Columns(std::size_t rows)
      : values(static_cast<py::ssize_t>(rows)), reasons(static_cast<py::ssize_t>(rows)) {}

  void set(std::size_t row, const TrueValue& truth) {
    const bool runs = truth.reason == Reason::none;
    values.mutable_data()[row] = runs ? truth.value : std::numeric_limits<double>::quiet_NaN();
    reasons.mutable_data()[row] = static_cast<std::uint8_t>(truth.reason);
  }

  py::array_t<double> values;
  py::array_t<std::uint8_t> reasons;
};

}  // namespace

std::vector<std::string> reason_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < datasets::reason_count; ++i) {
    names.emplace_back(name_of(static_cast<Reason>(i)));
  }
  return names;
}

BoundProblem::BoundProblem(Scenario scenario, std::uint64_t instance, std::string truth_sha256)
    : scenario_(std::move(scenario)),
      instance_(scenario_, instance),
      dicts_(scenario_.space),
      truth_sha256_(std::move(truth_sha256)) {}

BoundProblem::BoundProblem(const std::string& name, std::int64_t instance,
                           const std::optional<std::string>& salt_file)
    : BoundProblem(read(name, salt_file), checked(instance), "") {
  const std::string backend = search::usual_backend({&scenario_, 1});
  truth_sha256_ = search::searched_sha256(search::parse_backend(backend, "backend"), scenario_,
                                          instance_.number());
}

py::list BoundProblem::parameters() const {
  py::list list;
  for (std::size_t i = 0; i < scenario_.space.size(); ++i) {
    const scenarios::Parameter& parameter = scenario_.space.parameters()[i];
    py::dict when;
    for (const scenarios::Condition& condition : parameter.when) {
      const auto parent = static_cast<std::size_t>(condition.parameter);
      py::list values;
      for (const std::int64_t code : condition.values) {
        values.append(value_object(*scenario_.space.parameters()[parent].setting, code));
      }
      when[dicts_.name(parent)] = values;
    }
    py::dict entry;
    entry["name"] = dicts_.name(i);
    entry["type"] =
        text(scenarios::parameter_type_names()[static_cast<std::size_t>(parameter.type)]);
    entry["values"] = dicts_.values(i);
    entry["when"] = when;
    entry["meaning"] = text(scenarios::meaning_of(*parameter.setting));
    list.append(entry);
  }
  return list;
}

py::list BoundProblem::constraints() const {
  py::list list;
  for (const scenarios::Constraint& constraint : scenario_.space.constraints()) {
    py::dict entry;
    entry["name"] = constraint.name;
    entry["require"] = constraint.require.text();
    list.append(entry);
  }
  return list;
}

std::optional<py::dict> BoundProblem::baseline() const {
  const std::optional<Configuration> baseline = scenarios::granted_baseline(scenario_);
  if (!baseline) return std::nullopt;
  return dicts_.write(*baseline);
}

py::dict BoundProblem::objective() const {
  py::dict objective;
  objective["metric"] = text(name_of(scenario_.objective));
  objective["direction"] = text(name_of(scenario_.objective.direction));
  objective["percentile"] = scenario_.objective.percentile;
  return objective;
}

std::optional<std::string> BoundProblem::violated(const py::dict& config) const {
  const Configuration configuration = dicts_.read(config);
  const int violated = scenario_.space.first_violated(configuration);
  if (violated < 0) return std::nullopt;
  const auto& constraints = scenario_.space.constraints();
  // Of a table of runs, what was never run is outside.
  return constraints.empty() ? "listed" : constraints[static_cast<std::size_t>(violated)].name;
}

py::dict BoundProblem::config_at(std::uint64_t number) const {
  if (number >= scenario_.space.count()) {
    throw support::InputError("number", "expected an integer below " +
                                            std::to_string(scenario_.space.count()) + ", got " +
                                            std::to_string(number));
  }
  Configuration configuration(scenario_.space.size());
  scenario_.space.configuration_at(number, configuration);
  return dicts_.write(configuration);
}

void BoundProblem::require_table_size() const {
  if (scenario_.space.count() <= table_rows_max) return;
  throw support::InputError(scenario_.name, "expected a space of at most " +
                                                std::to_string(table_rows_max) +
                                                " configurations to list, got " +
                                                std::to_string(scenario_.space.count()));
}

CodeTable BoundProblem::codes() const {
  require_table_size();
  const auto rows = static_cast<std::size_t>(scenario_.space.count());
  const std::size_t columns = scenario_.space.size();
  CodeTable table({rows, columns});
  std::int32_t* out = table.mutable_data();
  const py::gil_scoped_release unlocked;
  if (rows == 0) return table;
  scenarios::SpaceWalk walk(scenario_.space.diagram(), 0);
  do {
    out = std::ranges::transform(walk.configuration(), out, [](std::int64_t index) {
            return static_cast<std::int32_t>(index);
          }).out;
  } while (walk.advance());
  return table;
}

CodeTable BoundProblem::codes_of(const py::sequence& configs) const {
  const std::size_t columns = scenario_.space.size();
  CodeTable table({configs.size(), columns});
  std::int32_t* out = table.mutable_data();
  for (const py::handle config : configs) {
    for (const std::int64_t index : dicts_.read(config.cast<py::dict>())) {
      *out++ = static_cast<std::int32_t>(index);
    }
  }
  return table;
}

std::optional<double> BoundProblem::true_value(const py::dict& config) const {
  const Configuration configuration = dicts_.read(config);
  if (!scenario_.space.satisfies(configuration)) return std::nullopt;
  // What the workspace holds of its largest program is worth keeping.
  thread_local sim::Workspace workspace;
  const TrueValue truth = scenario_.measured ? scenarios::TrueValues(instance_).at(configuration)
                                             : instance_.true_value(configuration, workspace);
  if (truth.reason != Reason::none) return std::nullopt;
  return truth.value;
}

py::tuple BoundProblem::true_values(const CodeTable& codes, int threads) const {
  const std::size_t columns = scenario_.space.size();
  if (codes.ndim() != 2 || codes.shape(1) != static_cast<py::ssize_t>(columns)) {
    throw support::InputError("configs", "expected dicts, or an array of integers with " +
                                             std::to_string(columns) +
                                             " columns, one per parameter");
  }
  const auto rows = static_cast<std::size_t>(codes.shape(0));
  const std::int32_t* const all = codes.data();
  Columns out(rows);
  {
    const py::gil_scoped_release unlocked;
    support::parallel_for((rows + block_rows - 1) / block_rows, threads, [&](std::size_t block) {
      Strangers values(instance_);
      Configuration configuration(columns);
      const std::size_t end = std::min(rows, (block + 1) * block_rows);
      for (std::size_t row = block * block_rows; row < end; ++row) {
        std::copy_n(all + row * columns, columns, configuration.begin());
        out.set(row, values.at(configuration));
      }
    });
  }
  return py::make_tuple(out.values, out.reasons);
}

py::tuple BoundProblem::all_true_values(int threads) const {
  require_table_size();
  const auto rows = static_cast<std::size_t>(scenario_.space.count());
  Columns out(rows);
  {
    const py::gil_scoped_release unlocked;
    std::vector<TrueValue> kept(rows);
    datasets::valued_range(instance_, {.first = 0, .count = rows},
                           {.threads = threads, .beside = {}}, kept);
    for (std::size_t row = 0; row < rows; ++row) out.set(row, kept[row]);
  }
  return py::make_tuple(out.values, out.reasons);
}

py::tuple BoundProblem::seconds_in_cpp(const CodeTable& codes) const {
  using Clock = std::chrono::steady_clock;
  const std::size_t columns = scenario_.space.size();
  std::vector<Configuration> configurations;
  for (py::ssize_t row = 0; row < codes.shape(0); ++row) {
    const std::int32_t* const first = codes.data(row, 0);
    configurations.emplace_back(first, first + columns);
  }
  sim::Workspace workspace;
  const auto seconds_of = [&](auto ask) {
    const Clock::time_point begin = Clock::now();
    for (const Configuration& configuration : configurations) ask(configuration);
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  // What comes from outside may be outside the space.
  const auto value = [&](const Configuration& config) {
    if (scenario_.space.contains(config)) (void)instance_.true_value(config, workspace);
  };
  const double values = seconds_of(value);
  const double launches = seconds_of([&](const Configuration& config) {
    (void)instance_.launch(config, 0, workspace);
    value(config);
  });
  return py::make_tuple(values, launches);
}

}  // namespace cubicbench::python
