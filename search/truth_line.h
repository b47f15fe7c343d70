#pragma once

#include <cstdint>
#include <string>

#include "scenarios/instance.h"

namespace cubicbench::search {

/// The first line of a truth file.
struct TruthHeader {
  std::string version;
  std::string scenario;
  std::string scenario_sha256;
  std::string truth_sha256;
  std::int64_t instance = 0;
};

/// Every other line: the noise-free answer to the configuration of one launch.
struct TruthLine {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  scenarios::TrueValue truth;
};

/// The text of a header or a line, with the newline.
std::string truth_text(const TruthHeader& header);
std::string truth_text(const TruthLine& line);

}  // namespace cubicbench::search
