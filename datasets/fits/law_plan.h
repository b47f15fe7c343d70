#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// Numbers that were fitted together to the runs of all software whose stacks stand on them
/// (datasets/measured/laws.json).
struct LawPlan {
  std::string name;
  std::string of;  ///< the stack that has them
  std::vector<LawConstant> constants;
  std::vector<std::string> tables;
  std::string reason;
};

/// Reads the JSON file, schema `cubicbench.laws/1`. Names of stacks, devices, constants and tables
/// must be known. Throws InputError with every problem.
LawPlan read_law_plan(std::string_view text, const std::string& file);

/// That which ships, read once. Threads may call it at the same time.
const LawPlan& law_plan();

}  // namespace cubicbench::datasets
