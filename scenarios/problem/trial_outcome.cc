#include "scenarios/problem/trial_outcome.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 3> states{"complete", "fail", "pruned"};
constexpr std::array<std::string_view, 7> reasons{"",        "invalid", "oom_init", "oom_late",
                                                  "timeout", "infra",   "numeric"};

template <class Enumeration>
std::optional<Enumeration> one_called(std::string_view name,
                                      std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumeration>(found - names.begin());
}

}  // namespace

std::string_view name_of(TrialState state) { return states[static_cast<std::size_t>(state)]; }

std::string_view name_of(Reason reason) { return reasons[static_cast<std::size_t>(reason)]; }

std::optional<TrialState> trial_state_of(std::string_view name) {
  return one_called<TrialState>(name, states);
}

std::optional<Reason> reason_of(std::string_view name) { return one_called<Reason>(name, reasons); }

std::optional<double> metric_of(const TrialOutcome& outcome, std::string_view name) {
  for (const auto& [metric, value] : outcome.metrics) {
    if (metric == name) return value;
  }
  return std::nullopt;
}

}  // namespace cubicbench::scenarios
