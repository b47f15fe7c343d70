#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/journal/config_words.h"
#include "search/journal/journal.h"
#include "search/journal/truth_line.h"

namespace cubicbench::search {

// Quick readers of the lines that this program writes: a journal has one for each launch, and there
// may be a million. They take a line, without its newline, that has the keys in the order of
// journal_text() and truth_text(), no space, and values of a simple form, and read what the readers
// of any JSON would. Of every other line, be it right or wrong, they say nothing: those readers
// decide.

std::optional<JournalLine> read_plain_launch(std::string_view text);
std::optional<TruthLine> read_plain_truth(std::string_view text);

/// What a reader of finished studies keeps of a launch.
struct PlainOutcome {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  std::int64_t round = 0;
  scenarios::TrialState state = scenarios::TrialState::complete;
  scenarios::Reason reason = scenarios::Reason::none;
  std::optional<double> value{};
  double cost_gpu_hours = 0.0;
  double fidelity = 1.0;
};

/// The same line as read_plain_launch() takes, without metrics and times; its configuration is
/// appended to `config`. Names and values are read once for all launches: it is several times as
/// quick.
std::optional<PlainOutcome> read_plain_outcome(std::string_view text, ConfigWords& words,
                                               std::vector<ConfigWord>& config);

/// `"name":value` of a configuration, the value as JSON.
std::optional<std::pair<std::string, std::string>> read_plain_member(std::string_view text);

}  // namespace cubicbench::search
