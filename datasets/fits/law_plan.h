#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/mapping/library.h"
#include "sim/hardware/stack.h"

namespace cubicbench::datasets {

/// A number that many share: of the stack that all others stand on, or of devices of one
/// generation.
struct LawConstant {
  std::string constant;              ///< name of scenarios/constants/constants.h
  std::vector<std::string> devices;  ///< none: of the stack
  std::string label;                 ///< with the devices
  double expected = 0.0;             ///< before any run is looked at, and how far off that may be:
  double spread = 0.0;               ///< standard deviation of its logarithm
};

/// How releases of software differ: by which generic stack they stand on, and by switches.
struct SoftwareRule {
  std::vector<std::string> stacks;  ///< of the library
  std::string base;                 ///< the generic one
  sim::Stack law;                   ///< the same with the switches
};

/// Numbers that were fitted together to the runs of all software (datasets/measured/laws.json).
struct LawPlan {
  std::string name;
  std::string of;  ///< the stack that has them
  std::vector<LawConstant> constants;
  std::vector<std::string> tables;
  std::vector<SoftwareRule> software;
  std::string reason;
};

/// Reads the JSON file, schema `cubicbench.laws/1`. Names of stacks, devices, constants and tables
/// must be known. Throws InputError with every problem.
LawPlan read_law_plan(std::string_view text, const std::string& file);

/// That which ships, read once. Threads may call it at the same time.
const LawPlan& law_plan();

/// A run of `stack`, called `name`, by the laws: times by the generic stack and the switches of the
/// plan, the rest as it is. Null where the plan says nothing of that stack.
const sim::Stack* law_of(const LawPlan& plan, std::string_view name);

/// `named` with the times of `law`: its memory, its balance of stages and what it does with experts
/// stay.
sim::Stack with_times_of(const sim::Stack& law, const sim::Stack& named);

}  // namespace cubicbench::datasets
