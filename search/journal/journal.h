#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"
#include "search/journal/truth_line.h"
#include "support/input_error.h"

namespace cubicbench::search {

using scenarios::ConfigText;

/// The first line of a journal: what the study was [docs/reference/search-folder.md].
/// `truth_sha256` is "" where trials really run.
struct JournalHeader : TruthHeader {
  std::string searcher;  ///< as it was typed
  std::string backend;   ///< of `options`, like the five below
  std::int64_t slots = 1;
  std::string start = "none";  ///< or "baseline": trial 0 is the scenario's
  bool permute = false;
  std::string warm_start{};  ///< WarmStart::id() of what the searcher was told first; "" of nothing
  std::vector<std::pair<std::string, double>> searcher_options;
  std::string telling;
  std::int64_t seed = 0;
  std::int64_t trials = 0;  ///< of `budget`: launches

  bool operator==(const JournalHeader&) const = default;
};

/// Every other line: one launch.
struct JournalLine {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  ConfigText config;                ///< of the active parameters
  scenarios::TrialOutcome outcome;  ///< its duration is the difference of the two times
  double started_h = 0.0;
  double finished_h = 0.0;
  std::int64_t round = 0;
  std::optional<double> fidelity{};  ///< of a short launch, in (0, 1); nothing: a whole one

  /// Of the job's steps, those that the launch ran.
  double share() const { return fidelity.value_or(1.0); }
};

/// Says that a journal has no whole first line.
support::InputError no_header(const std::filesystem::path& path);

/// A journal as far as it was written.
struct JournalFile {
  JournalHeader header;
  std::vector<JournalLine> lines;  ///< in the file's order; no two of the same trial and attempt
  std::optional<ConfigText> recommended{};  ///< by its searcher, where that stated one at its end
  bool torn = false;  ///< a last line that was not written to its end has been left out
};

/// What the launches of a journal were charged, in whole launches [search/searchers/charge.h].
double charged(const JournalFile& journal);

/// What a journal holds beside its launches.
struct JournalFrame {
  JournalHeader header;
  std::optional<ConfigText> recommended{};
  bool torn = false;
};

struct LaunchNumber {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;

  auto operator<=>(const LaunchNumber&) const = default;
};

/// Goes through a journal as read_journal() does, without keeping its lines: `take_plain` is given
/// each line of a launch as it is written and says which launch it took, if it took it; `take` is
/// given what the reader of any JSON makes of the others. Nothing where the journal has no whole
/// first line.
std::optional<JournalFrame> read_lines(
    const std::filesystem::path& path,
    const std::function<std::optional<LaunchNumber>(std::string_view)>& take_plain,
    const std::function<void(JournalLine&&)>& take);

/// Does the journal hold a whole first line? A study that was killed as it began leaves none.
bool has_header(const std::filesystem::path& path);

/// Reads a journal, of a study that goes on too. A last line without a newline, or that is no
/// JSON, was torn and is left out; anything else that is wrong is an InputError, `PATH:LINE: ...`.
JournalFile read_journal(const std::filesystem::path& path);

/// The configuration of a line, whose values are JSON, as an object.
std::string config_object(const ConfigText& config);

/// The text of a header or a line, with the newline: keys as in docs/reference/search-folder.md, in
/// that order.
std::string journal_text(const JournalHeader& header);
std::string journal_text(const JournalLine& line);

/// That of the last line, where the searcher states what it recommends.
std::string recommendation_text(const ConfigText& config);

}  // namespace cubicbench::search
