#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/space/workload_kind.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

enum class SettingKind {
  integer,             ///< the code is the value
  boolean,             ///< 0 false, 1 true
  choice,              ///< position in `choices`
  boolean_or_integer,  ///< 0 false, 1 true, n >= 2 the integer n
  thousandths,         ///< a decimal of at most three places; the code is a thousand times it
  number,              ///< of a column: position in `numbers`
};

/// Whose setting it is; `experts` are transformers that have them.
enum class SettingOwner { all, transformers, experts, recommendation };
inline constexpr std::array setting_owners{SettingOwner::all, SettingOwner::transformers,
                                           SettingOwner::experts, SettingOwner::recommendation};
/// "all models", "transformers", "mixtures of experts", "recommendation models".
std::string_view name_of(SettingOwner owner);

/// One knob of a configuration under its contract name. Each value is known by a 64-bit *code*;
/// what the code means depends on the kind. `recompute` is a choice with an open end: codes 0 to 3
/// are its first choices, code 3 + K, K in [1, 1024], is `every_K`, and later choices follow, so
/// that no code ever changes.
///
/// A knob that is a column of a table of trials (scenarios/space/column_setting.h) is one too. It
/// has no part in a plan, and is not among settings().
struct Setting {
  std::string_view name;
  SettingOwner owner = SettingOwner::all;
  SettingKind kind = SettingKind::integer;
  std::int64_t min = 0;  ///< smallest legal code
  std::int64_t max = 0;  ///< largest legal code
  std::span<const std::string_view> choices;
  std::span<const std::string_view> later_choices{};  ///< behind an open end
  void (*apply)(sim::Plan&, std::int64_t) = nullptr;  ///< requires a legal code; null of a column
  std::int64_t (*read)(const sim::Plan&) = nullptr;   ///< likewise
  std::span<const double> numbers{};                  ///< ascending
};

/// Is it a column of a table, and no setting of a plan?
constexpr bool is_column(const Setting& setting) { return setting.apply == nullptr; }

inline constexpr std::size_t setting_count = 55;

/// All settings of all kinds of workload, in the contract's order. The table lives as long as the
/// program, so `const Setting*` serves as identity.
std::span<const Setting> settings();

/// Names of `settings()`, same order.
std::span<const std::string_view> setting_names();

/// Null when no setting has this name.
const Setting* find_setting(std::string_view name);

/// Has a workload of this kind such a setting?
bool belongs(const Setting& setting, WorkloadKind kind);

/// Names of the settings that belong to `kind`; candidates for did-you-mean.
std::vector<std::string_view> setting_names(WorkloadKind kind);

/// "setting of transformers; this scenario trains a recommendation model": what a message says of a
/// setting that does not belong to `kind`.
std::string misplaced(const Setting& setting, WorkloadKind kind);

/// Position in `settings()`. Requires one of them.
std::size_t index_of(const Setting& setting);

/// Reads a value as it is written on the command line. Strict: no white space, no sign +, no
/// leading zeros, no overflow, only `true` and `false` for booleans, nothing outside the range.
std::optional<std::int64_t> parse_setting(const Setting& setting, std::string_view text);

/// Reads a value as it is written in a scenario: JSON numbers, booleans and strings, never one
/// for the other; 4.0 is no integer, but 4 is a decimal.
std::optional<std::int64_t> code_of(const Setting& setting, const nlohmann::ordered_json& value);

/// Inverse of `parse_setting`.
std::string format_setting(const Setting& setting, std::int64_t code);

/// Inverse of `code_of`.
nlohmann::ordered_json json_of(const Setting& setting, std::int64_t code);

/// What a message says after "expected": "an integer in [1, 16384]", "one of none, post, pre",
/// "true or false", "a number in [0, 1] with at most three decimals".
std::string expected(const Setting& setting);

}  // namespace cubicbench::scenarios
