#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/space/setting.h"
#include "scenarios/space/workload_kind.h"

namespace cubicbench::scenarios {

/// What a setting means to people who know it from elsewhere.
struct SettingWords {
  std::string_view name;     ///< of the setting
  std::string_view meaning;  ///< one sentence, without a full stop
  std::string_view trade;    ///< what turning it gains and costs, likewise
  std::string_view source;   ///< what it is called in the software that has it, or where it is from
};

/// One entry a setting, in the order of `settings()`.
std::span<const SettingWords> setting_words();

/// That of its words; of a column of a table what it is, as the table says no more.
std::string_view meaning_of(const Setting& setting);

/// What to type for a value that is customary elsewhere ("zero3", "bfloat16", "yes"); "" where
/// nothing is known.
std::string meant_value(const Setting& setting, std::string_view text);

/// What to type for a name that is customary elsewhere ("tp", "num_gpus", "seq-length"), in a
/// scenario whose workload is of this kind: a setting ("tensor_parallel") or a field of the problem
/// ("cluster.gpus"). "" where nothing is known. Letter case and `-` against `_` do not count.
std::string_view meant_by(std::string_view name, WorkloadKind kind);

}  // namespace cubicbench::scenarios
