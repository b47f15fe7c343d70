#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Writes a search as `optuna.log`, the file of Optuna's JournalStorage, from which Optuna loads
/// every study with its trials: a trial per launch, a categorical distribution per knob.
/// docs/exports.md says what the attributes are. Returns the name of the file. Throws InputError as
/// the readers of searches, and OutputError.
std::vector<std::string> write_optuna_export(const std::filesystem::path& folder,
                                             const std::filesystem::path& out);

}  // namespace cubicbench::results
