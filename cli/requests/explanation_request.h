#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/explanation/explanation.h"

namespace cubicbench::cli {

/// What the command line of `explain` asks for.
struct ExplanationAsked {
  std::string name;
  std::vector<std::string> sets;
  std::string against;  ///< "name=value,...", "FOLDER:best", or ""
  std::uint64_t instance = 0;
  std::optional<std::string> salt;
  int threads = 0;
};

/// Reads the scenario, the other plan and, of a folder, its search, and explains. Throws
/// InputError.
results::Explanation explanation(const ExplanationAsked& asked);

}  // namespace cubicbench::cli
