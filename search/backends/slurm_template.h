#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace cubicbench::search {

/// The script that a user wrote for Slurm, and what it says to the suite [docs/slurm.md].
struct SlurmTemplate {
  std::filesystem::path path{};  ///< absolute
  bool has_time_limit = false;   ///< a line `#SBATCH --time`, which then decides
  /// Between two looks at the queue, at most.
  std::chrono::milliseconds poll{15'000};
  /// For so long Slurm may fail to answer.
  std::chrono::milliseconds patience{600'000};
  /// For so long a job may wait for its start; nothing: for ever.
  std::optional<std::chrono::milliseconds> pending_limit{};
};

/// Reads the script. Throws InputError at `where` where there is none or it does not start with
/// "#!", and, `FILE:LINE: ...`, for a line `#CUBICBENCH` that is none and for an option of sbatch
/// that the suite cannot do with: arrays, other clusters, waiting.
SlurmTemplate read_slurm_template(const std::string& path, const std::string& where);

}  // namespace cubicbench::search
