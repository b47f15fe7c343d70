#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/shared_options.h"
#include "datasets/catalog/measured_table.h"
#include "datasets/tables/measurement_schema.h"
#include "datasets/validation/validate_tables.h"
#include "predictor/calibration/left_out.h"
#include "scenarios/requirement.h"

namespace cubicbench::cli {

/// What the command line of `validate` asks for.
struct ValidationRequest {
  std::vector<std::string> names;              ///< of tables; none: all that ship
  std::vector<datasets::GivenColumn> columns;  ///< that logs do not state
  std::vector<datasets::MeasuredTable> tables;
  std::vector<datasets::MeasurementQuality> qualities;  ///< none: the usual ones
  std::vector<scenarios::Requirement> requirements;
  bool ablation = false;
  std::optional<std::string> stack;  ///< a name or a file: all runs by its constants
  bool unnamed = false;              ///< without framework and stack of the rows
  std::optional<predictor::LeftOutOf> leave_out;
  std::optional<std::filesystem::path> out;
  std::optional<std::filesystem::path> markdown;
  GlobalOptions global;
};

void declare_validation(Options& options, ValidationRequest& request);

datasets::WantedRows wanted_rows(const ValidationRequest& request);

/// The rows as they are asked to be played.
datasets::Validation validation_of(const ValidationRequest& request);

/// Every table that ships, of the usual qualities, played as it stands.
bool is_of_all_shipped(const ValidationRequest& request);

/// The command that validates the same again, without options that say where to write; of a path
/// it has the last part only.
std::string command_of(const ValidationRequest& request);

}  // namespace cubicbench::cli
