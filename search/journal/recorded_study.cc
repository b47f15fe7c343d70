#include "search/journal/recorded_study.h"

#include <string>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::search {

namespace {

void require_no_gap(const RecordedStudy& recorded, const std::filesystem::path& journal) {
  std::int64_t expected = 0;
  for (const auto& [trial, config] : recorded.configs) {
    if (trial != expected) {
      throw support::InputError(journal.string(),
                                "expected a line of trial " + std::to_string(expected) +
                                    ", got none before trial " + std::to_string(trial));
    }
    ++expected;
  }
}

}  // namespace

RecordedStudy recorded_study(const std::filesystem::path& journal) {
  RecordedStudy recorded;
  if (!std::filesystem::exists(journal) || !has_header(journal)) return recorded;
  JournalFile file = read_journal(journal);
  recorded.launches = std::ssize(file.lines);
  for (JournalLine& line : file.lines) {
    recorded.configs[line.trial] = std::move(line.config);
    if (line.fidelity) recorded.fidelities[line.trial] = *line.fidelity;
  }
  recorded.recommended = std::move(file.recommended);
  if (file.header.slots == 1) require_no_gap(recorded, journal);
  return recorded;
}

}  // namespace cubicbench::search
