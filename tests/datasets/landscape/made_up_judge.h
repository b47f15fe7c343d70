#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "datasets/landscape/judge.h"
#include "sim/base/numeric.h"

namespace cubicbench::datasets {

/// The natural logarithm of what a configuration is worth; nothing where it runs out of memory.
using LogValue = std::function<std::optional<double>(const scenarios::Configuration&)>;

/// `space` must outlive it.
inline Judge made_up_judge(const scenarios::SearchSpace& space, LogValue log_value) {
  return [&space, log_value](std::span<const std::uint64_t> numbers) {
    std::vector<scenarios::TrueValue> values;
    scenarios::Configuration configuration(space.size());
    for (const std::uint64_t number : numbers) {
      space.configuration_at(number, configuration);
      const std::optional<double> log = log_value(configuration);
      values.push_back(log ? scenarios::TrueValue{.value = sim::exp(*log)}
                           : scenarios::TrueValue{.reason = scenarios::Reason::oom_init});
    }
    return values;
  };
}

}  // namespace cubicbench::datasets
