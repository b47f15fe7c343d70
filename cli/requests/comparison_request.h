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
  results::Terms terms{};
  std::vector<std::string> searchers;  ///< one for both sides, or one each
  std::vector<std::string> optima;     ///< files
  std::optional<std::string> run;      ///< makes the candidate's folder
  bool until_decided = false;
  std::optional<std::int64_t> max_seeds;
  std::optional<std::filesystem::path> junit;
  std::optional<std::filesystem::path> comment;  ///< --markdown
  GlobalOptions global;
};

void declare_comparison(Options& options, ComparisonRequest& request);

/// The command of --run with its placeholders filled in: {out}, {seed} (the first) and {seeds} (how
/// many).
std::string filled_run(const std::string& command, const std::filesystem::path& out,
                       std::int64_t seed, std::int64_t seeds);

}  // namespace cubicbench::cli
