#include "search/journal/study_record.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "search/journal/file_texts.h"
#include "search/searchers/charge.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

std::int32_t small(std::int64_t number) { return static_cast<std::int32_t>(number); }

}  // namespace

double charged(const StudyRecord& study) {
  double sum = 0.0;
  for (const StudyLaunch& launch : study.launches) sum += charge_of(launch.fidelity);
  return sum;
}

std::optional<LaunchNumber> RecordWriter::take_plain(std::string_view line) {
  config_.clear();
  const auto read = read_plain_outcome(line, keeper_.words(), config_);
  if (!read) return std::nullopt;
  add(*read, keeper_.keep(config_));
  return LaunchNumber{read->trial, read->attempt};
}

void RecordWriter::take(const JournalLine& line) {
  add({.trial = line.trial,
       .attempt = line.attempt,
       .round = line.round,
       .state = line.outcome.state,
       .reason = line.outcome.reason,
       .value = line.outcome.value,
       .cost_gpu_hours = line.outcome.cost_gpu_hours,
       .fidelity = line.share()},
      keeper_.keep(line.config));
}

void RecordWriter::add(const PlainOutcome& read, ConfigId config) {
  record_.launches.push_back({.state = read.state,
                              .reason = read.reason,
                              .value = read.value,
                              .cost_gpu_hours = read.cost_gpu_hours,
                              .fidelity = read.fidelity,
                              .trial = small(read.trial),
                              .attempt = small(read.attempt),
                              .round = small(read.round),
                              .config = config});
}

std::optional<StudyRecord> read_record(const std::filesystem::path& journal,
                                       const std::shared_ptr<ConfigWords>& words) {
  return read_record_of(support::read_file(journal), journal, words);
}

std::optional<StudyRecord> read_record_of(std::string_view text, const std::filesystem::path& path,
                                          const std::shared_ptr<ConfigWords>& words) {
  StudyRecord study{};
  study.configs = StudyConfigs(words);
  RecordWriter writer(study);
  auto frame = read_lines_of(
      text, path, [&](std::string_view line) { return writer.take_plain(line); },
      [&](const JournalLine& line) { writer.take(line); });
  if (!frame) return std::nullopt;
  static_cast<JournalHeader&>(study) = std::move(frame->header);
  study.stated = std::move(frame->recommended);
  study.torn = frame->torn;
  study.shrink_to_fit();
  return study;
}

void add_truth(StudyRecord& study, const TruthFile& truth, const std::string& file) {
  if (truth.header.truth_sha256 != study.truth_sha256) {
    throw support::InputError(file + ":1",
                              "expected the truth_sha256 of the journal of the same name, got "
                              "another");
  }
  const auto number = [](const auto& of) {
    return std::pair<std::int64_t, std::int64_t>(of.trial, of.attempt);
  };
  const bool is_aligned = std::ranges::equal(truth.lines, study.launches, {}, number, number);
  std::map<std::pair<std::int64_t, std::int64_t>, scenarios::TrueValue> values;
  for (std::size_t i = 0; i < truth.lines.size(); ++i) {
    if (is_aligned) {
      study.launches[i].truth = truth.lines[i].truth;
    } else {
      values[number(truth.lines[i])] = truth.lines[i].truth;
    }
  }
  if (is_aligned) return;
  for (StudyLaunch& launch : study.launches) {
    const auto found = values.find(number(launch));
    if (found != values.end()) launch.truth = found->second;
  }
}

}  // namespace cubicbench::search
