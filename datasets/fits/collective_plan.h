#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

/// Which numbers of a file of scenarios/collectives were fitted to which tables of collectives: to
/// those of their rows that are simulated with that file.
struct CollectivePlan {
  std::string of;                   ///< name of the file
  std::vector<std::string> fit;     ///< names of scenarios/constants/collective_constants.h
  std::vector<std::string> tables;  ///< that ship
  std::string reason;
};

/// Reads "collectives" of the JSON file of calibrations (datasets/fits/calibration_plan.h reads the
/// rest); none where it has no such key. Names of files, constants and tables must be known, and a
/// file is named once. Throws InputError with every problem.
std::vector<CollectivePlan> read_collective_plans(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/calibrations.json), read once.
const std::vector<CollectivePlan>& collective_plans();

/// The plan of the file of that name, nullptr for none.
const CollectivePlan* find_collective_plan(std::string_view of);

}  // namespace cubicbench::datasets
