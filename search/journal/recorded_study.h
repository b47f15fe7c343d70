#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include "search/journal/journal.h"

namespace cubicbench::search {

/// What an earlier run of a study has recorded, which whoever drives it has to propose again.
struct RecordedStudy {
  std::map<std::int64_t, ConfigText> configs{};  ///< by trial
  std::map<std::int64_t, double> fidelities{};   ///< by trial, those of short launches
  std::int64_t launches = 0;                     ///< lines; a trial may have several
  std::optional<ConfigText> recommended{};

  double fidelity_of(std::int64_t trial) const {
    const auto found = fidelities.find(trial);
    return found == fidelities.end() ? 1.0 : found->second;
  }
};

/// Of a journal; of none, or one without a whole header, nothing. Throws InputError for a damaged
/// one, and where trials are missing between those of a study that launches one after the other.
RecordedStudy recorded_study(const std::filesystem::path& journal);

}  // namespace cubicbench::search
