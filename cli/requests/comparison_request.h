#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/shared_options.h"
#include "results/comparison/verdict.h"
#include "results/regret/known_spaces.h"

namespace cubicbench::cli {

/// What the command line of `compare` asks for.
struct ComparisonRequest {
  std::string baseline;
  std::string candidate;
  results::Asking asking{};
  std::vector<std::string> searchers;  ///< one for both sides, or one each
  std::vector<std::string> optima;     ///< files
  std::optional<std::filesystem::path> junit;
  std::optional<std::filesystem::path> comment;  ///< --markdown
  GlobalOptions global;
};

void declare_comparison(Options& options, ComparisonRequest& request);

}  // namespace cubicbench::cli
