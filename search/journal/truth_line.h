#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/truth/instance.h"

namespace cubicbench::search {

/// The first line of a truth file.
struct TruthHeader {
  std::string version;
  std::string scenario;
  std::string scenario_sha256;
  std::string truth_sha256;
  std::int64_t instance = 0;
  std::string salt_sha256{};  ///< of a sealed instance; "" and not written of others
};

/// Every other line: the noise-free answer to the configuration of one launch.
struct TruthLine {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  scenarios::TrueValue truth;
};

/// The truth about the launches of one study.
struct TruthFile {
  TruthHeader header;
  std::vector<TruthLine> lines;  ///< in the file's order
};

/// Reads truth/STUDY.jsonl of a search. A last line without its newline was torn and is left out.
/// Throws InputError, `PATH:LINE#/pointer: ...`, with every problem.
TruthFile read_truth(const std::filesystem::path& path);

/// The text of a header or a line, with the newline.
std::string truth_text(const TruthHeader& header);
std::string truth_text(const TruthLine& line);

}  // namespace cubicbench::search
