#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "search/finished/study_set.h"
#include "support/shell_word.h"

namespace cubicbench::results {

using support::shell_word;

/// A scenario as a command line asks for it.
struct AskedProblem {
  std::string scenario;  ///< name or path
  std::uint64_t instance = 0;
  std::string salt{};               ///< the file, of a sealed instance
  std::vector<std::string> sets{};  ///< NAME=VALUE that it is read with
};

/// The command that simulates a configuration of it, setting by setting. Texts of `sets` that the
/// configuration overrules are left out.
std::string simulate_command(const AskedProblem& problem,
                             std::span<const std::pair<std::string, std::string>> config);

/// The same of a study, without those settings that `baseline` has too (an empty baseline: all).
std::string simulate_command(const search::StudyResult& study,
                             std::span<const std::pair<std::string, std::string>> config,
                             std::span<const std::pair<std::string, std::string>> baseline);

/// The folders of the set as commands name them: as the user did, but of an absolute path the last
/// part; DIR1, DIR2 where that leaves two equal.
std::vector<std::string> folder_names(const search::StudySet& set);

/// The commands that make these studies again: one a folder, none for a folder whose studies no
/// command makes. CMD stands for a command and SALT for
/// the file of a salt, of which journals know the SHA-256 alone.
std::vector<std::string> search_commands(const search::StudySet& set);

}  // namespace cubicbench::results
