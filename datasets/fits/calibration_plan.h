#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

/// Whose constants are fitted. Those of collectives have plans of their own
/// (datasets/fits/collective_plan.h).
enum class CalibrationSubject { stack, device, collectives };

/// "stack", "device", "collectives".
std::string_view name_of(CalibrationSubject subject);

/// What is left out together, to see what constants say of rows that they were not fitted to: the
/// runs of a model, those on a generation of devices, or every row on its own.
enum class LeftOut { model, generation, row };

/// Rows of a table that ships: those that every word asks for that is not empty. Tables of kernels
/// (datasets/catalog/measured_catalog.h) and of recommendation results have no parts and no
/// families.
struct CalibrationRows {
  std::string table;
  std::string part;    ///< of datasets/measured/parts.json
  std::string device;  ///< of the library, that a row is mapped to
  std::string family;  ///< what a row's family contains, whatever its case
  std::string source;  ///< what a row's source contains, likewise
  std::string dtype;   ///< of kernels: what their number format begins with
};

/// Which constants of a stack or a device were fitted to which measurements. Several plans may
/// share a subject: each is fitted with what those before it found.
struct CalibrationPlan {
  std::string name;
  CalibrationSubject subject = CalibrationSubject::stack;
  std::string of;                 ///< name of that stack or device
  std::vector<std::string> also;  ///< others that take the same values: one processor, one release
  std::vector<std::string> fit;   ///< names of scenarios/constants/constants.h
  std::vector<CalibrationRows> rows;
  LeftOut left_out = LeftOut::model;
  std::string reason;
};

/// Reads the JSON file of such plans, schema `cubicbench.calibrations/1`. Names of stacks, devices,
/// constants, tables and parts must be known, and no constant of a subject may be fitted
/// twice.
/// Throws InputError with every problem.
std::vector<CalibrationPlan> read_calibration_plans(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/calibrations.json), read once, in the order in which they are
/// fitted.
const std::vector<CalibrationPlan>& calibration_plans();

/// The plan of that name, nullptr for none.
const CalibrationPlan* find_calibration_plan(std::string_view name);

/// Those that give one stack or device its constants, in their order: its own, and those that it
/// takes over.
std::vector<const CalibrationPlan*> calibration_plans_of(CalibrationSubject subject,
                                                         std::string_view of);

}  // namespace cubicbench::datasets
