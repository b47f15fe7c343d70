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

/// How the plan is asked of torchtitan (release 0.2.2, whose job_config.py has these names; later
/// versions count tokens in place of sequences), of Megatron-LM (core_v0.19.0,
/// megatron/training/arguments.py) and of torchrun (PyTorch 2).
///
/// Only what a program has under the same meaning: a setting or a value that it lacks is left out,
/// and whoever starts it finds that in `config`: so it is with hierarchical exchanges of tokens,
/// with experts outside the device, and with schedules but those that a program names. Of the
/// model, nothing is said but how its layers fall into pipeline stages. Where the GPUs do not
/// divide among the dimensions, nothing is said of data parallelism. A recommendation model has
/// only torchrun's.
LaunchOptions launch_options(const scenarios::Scenario& scenario, const sim::Plan& plan);

}  // namespace cubicbench::search
