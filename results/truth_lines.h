#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cubicbench::results {

/// What a launch would have come to without noise and without infrastructure failures.
struct TruthLine {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  std::optional<double> value;  ///< nothing where the configuration itself fails
};

struct TruthFile {
  std::string truth_sha256;
  std::vector<TruthLine> lines;
};

/// Reads truth/STUDY.jsonl of a search: a header, then a line a launch. A last line without its
/// newline is left out. Throws InputError, `PATH:LINE#/pointer: ...`, with every problem.
TruthFile read_truth_lines(const std::filesystem::path& path);

}  // namespace cubicbench::results
