#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/truth/instance.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {

/// The first line of a truth file: what was searched.
struct TruthHeader {
  std::string version;
  std::string scenario;
  std::string scenario_sha256;
  std::string truth_sha256;
  std::int64_t instance = 0;
  std::string salt_sha256{};  ///< of a sealed instance; "" and not written of others

  bool operator==(const TruthHeader&) const = default;
};

/// Every other line: the noise-free answer to the configuration of one launch.
struct TruthLine {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  scenarios::TrueValue truth{};
};

/// The truth about the launches of one study.
struct TruthFile {
  TruthHeader header;
  std::vector<TruthLine> lines;  ///< in the file's order
};

/// Reads truth/STUDY.jsonl of a search. A last line without its newline was torn and is left out.
/// Throws InputError, `PATH:LINE#/pointer: ...`, with every problem.
TruthFile read_truth(const std::filesystem::path& path);

/// The keys of a header after `schema`, which journals begin with, too: from and to JSON. Where the
/// file has no `truth_sha256` it is `otherwise`, and a problem if that is nothing.
void read_searched(support::ObjectReader& in, const std::optional<std::string>& otherwise,
                   TruthHeader& header);
nlohmann::ordered_json searched_json(std::string_view schema, const TruthHeader& header);

/// The text of a header or a line, with the newline.
std::string truth_text(const TruthHeader& header);
std::string truth_text(const TruthLine& line);

}  // namespace cubicbench::search
