#pragma once

#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "sim/plan/plan.h"

namespace cubicbench::search {

/// A plan in the words of three programs: arguments, each an element of its own.
struct LaunchOptions {
  /// `--section.field value`; a flag that is off, `no_field`.
  std::vector<std::string> torchtitan{};
  std::vector<std::string> megatron{};
  std::vector<std::string> torchrun;

  bool operator==(const LaunchOptions&) const = default;
};

/// How the plan is asked of torchtitan 0.2.2, of Megatron-LM core 0.19 and of torchrun
/// [search/launch/launcher.h]. A setting or a value that a program lacks is left out: the job
/// can read it from `config`, and `cubicbench launch` gives the reason. A recommendation model has
/// only torchrun's.
LaunchOptions launch_options(const scenarios::Scenario& scenario, const sim::Plan& plan);

}  // namespace cubicbench::search
