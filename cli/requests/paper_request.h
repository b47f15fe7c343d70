#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "cli/options/shared_options.h"

namespace cubicbench::cli {

/// What the command line of `paper` asks for.
struct PaperRequest {
  bool full = false;  ///< the long protocols
  std::filesystem::path out;
  std::optional<std::int64_t> trials, seeds, repeats;
  GlobalOptions global;
};

void declare_paper(Options& options, PaperRequest& request);

/// The campaign that it runs.
std::string campaign_of(const PaperRequest& request);

/// The command that makes this page again.
std::string command_of(const PaperRequest& request);

/// How an early end leaves things, for the message.
std::string left_in_order(const PaperRequest& request);

/// A new or empty folder, or one that `paper` left with these studies: their folders, one with a
/// plan.json, and the page, index.*. Throws InputError at --out.
void require_paper_folder(const std::filesystem::path& folder,
                          const std::set<std::string>& studies);

}  // namespace cubicbench::cli
