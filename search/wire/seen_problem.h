#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/permuted/permuted_searcher.h"
#include "search/study/study.h"

namespace cubicbench::search {

/// A line of the protocol [search/wire/messages.h] has room for so much of a list, and for the
/// rest.
inline constexpr std::size_t listed_bytes_max = std::size_t{3} << 18;

/// A study's problem as a program outside sees it [docs/reference/wire-protocols.md]: parameters by
/// name and values as JSON. Where the study permutes, parameters are `knob_1`, `knob_2`, ... in
/// another order, categories and booleans `label_1`, `label_2`, ..., and constraints are not shown,
/// since they would tell the names. Numbers stay what they are. What is outside of that, such as
/// the journal, has the scenario's own names.
class SeenProblem {
 public:
  /// `scenario` must outlive it.
  SeenProblem(const scenarios::Scenario& scenario, const StudySpec& spec);

  /// `{"parameters": [{"name", "type", "values", "when"}], "constraints": [{"name", "require"}]}`,
  /// with `with_meaning` also what each parameter means. Of a table of runs also `"configs"`: its
  /// rows, which are all that there is, unless they take more than `listed_bytes_max`.
  nlohmann::ordered_json space_json(bool with_meaning = false) const;

  /// `{"metric", "direction", "percentile"}`.
  nlohmann::ordered_json objective_json() const;

  /// The active parameters of a configuration of the scenario's space.
  nlohmann::ordered_json config_json(const scenarios::Configuration& configuration) const;

  /// The configuration that gives every active parameter one of its values; inactive ones may be
  /// there and are ignored. It may break a constraint: then it is outside the space, and a launch
  /// of it fails as `invalid`. Throws Refused, one sentence, for an unknown name, a value that the
  /// parameter has not, and an active parameter that is missing.
  scenarios::Configuration configuration_of(const nlohmann::ordered_json& config) const;

  const scenarios::Scenario& scenario() const { return scenario_; }

 private:
  /// A parameter as it is shown. `labels` in place of values; none where they are shown as they
  /// are.
  struct Shown {
    std::string name;
    std::vector<std::string> labels{};
  };

  const scenarios::SearchSpace& space() const {
    return permuted_ ? permuted_->space() : scenario_.space;
  }
  int find(const std::string& name) const;
  nlohmann::ordered_json value_json(std::size_t parameter, std::int64_t index) const;
  /// -1 where the parameter has no such value.
  std::int64_t index_of(std::size_t parameter, const nlohmann::ordered_json& value) const;
  std::string expected(std::size_t parameter) const;
  nlohmann::ordered_json when_json(const scenarios::Parameter& parameter) const;
  nlohmann::ordered_json seen_json(const scenarios::Configuration& seen) const;
  nlohmann::ordered_json listed_json() const;
  nlohmann::ordered_json parameter_json(std::size_t parameter, bool with_meaning) const;
  void require_known(const nlohmann::ordered_json& config) const;

  const scenarios::Scenario& scenario_;
  std::optional<PermutedSpace> permuted_{};
  std::vector<Shown> shown_;
};

}  // namespace cubicbench::search
