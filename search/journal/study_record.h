#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/problem/trial_outcome.h"
#include "scenarios/truth/instance.h"
#include "search/journal/journal.h"
#include "search/journal/plain_line.h"
#include "search/journal/study_configs.h"
#include "search/journal/truth_line.h"

namespace cubicbench::search {

/// One launch of a study, as its journal has it, without times and metrics, and the truth about it.
/// There may be a million, so it is small.
struct StudyLaunch {
  scenarios::TrialState state = scenarios::TrialState::complete;
  scenarios::Reason reason = scenarios::Reason::none;
  std::optional<double> value{};  ///< present exactly when complete
  double cost_gpu_hours = 0.0;
  double fidelity = 1.0;  ///< below 1: a short launch
  std::int32_t trial = 0;
  std::int32_t attempt = 0;
  std::int32_t round = 0;
  ConfigId config{};                            ///< of the study's configurations
  std::optional<scenarios::TrueValue> truth{};  ///< as the truth file has it

  /// Noise-free; nothing where it fails, or is not known.
  std::optional<double> true_value() const {
    const bool runs = truth && truth->reason == scenarios::Reason::none;
    return runs ? std::optional(truth->value) : std::nullopt;
  }
};

/// What the files of a study say, as those need it who look at finished studies.
struct StudyRecord : JournalHeader {
  std::optional<ConfigText> stated{};   ///< what its searcher recommended; values are JSON
  StudyConfigs configs{};               ///< those of its launches
  std::vector<StudyLaunch> launches{};  ///< fewer than `trials` while the study goes on
  bool torn = false;                    ///< the journal's last line was not written to its end

  /// Values as `--set` takes them.
  ConfigText config_of(const StudyLaunch& launch) const {
    return set_texts(configs.json(launch.config));
  }

  void shrink_to_fit() {
    launches.shrink_to_fit();
    configs.shrink_to_fit();
  }
};

/// Adds the launches of a study to its record, which must stay where it is.
class RecordWriter {
 public:
  explicit RecordWriter(StudyRecord& record) : record_(record), keeper_(record.configs) {}

  /// A line of a journal as it is written, without its newline; nothing where it is not in the form
  /// of search/journal/plain_line.h.
  std::optional<LaunchNumber> take_plain(std::string_view line);
  void take(const JournalLine& line);

 private:
  void add(const PlainOutcome& read, ConfigId config);

  StudyRecord& record_;
  ConfigKeeper keeper_;
  std::vector<ConfigWord> config_;
};

/// What the launches were charged, in whole launches [search/searchers/charge.h].
double charged(const StudyRecord& study);

/// Reads a journal as read_journal() does, but keeps little of each launch. `words` may be those of
/// other studies, too. Nothing where the journal has no whole first line.
std::optional<StudyRecord> read_record(const std::filesystem::path& journal,
                                       const std::shared_ptr<ConfigWords>& words);

/// Puts noise-free values beside the launches that they belong to. Throws InputError where `truth`,
/// read from `file`, is of another truth than the study.
void add_truth(StudyRecord& study, const TruthFile& truth, const std::string& file);

}  // namespace cubicbench::search
