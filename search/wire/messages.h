#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "search/ledger/ledger.h"
#include "search/wire/seen_problem.h"

namespace cubicbench::search {

/// The version of the protocol [docs/reference/wire-protocols.md].
inline constexpr int wire_protocol = 1;

/// A line is at most this long, its newline not counted.
inline constexpr std::size_t wire_line_max = std::size_t{1} << 20;

/// The first message of a study. `replay`: trials that an earlier run of it has recorded, which
/// have to be proposed again.
nlohmann::ordered_json hello_message(const SeenProblem& problem, const StudySpec& spec,
                                     std::int64_t replay);

/// What a searcher outside is told of a trial, without the truth. A short launch has its
/// `fidelity`.
nlohmann::ordered_json told_json(const SeenProblem& problem, const ToldTrial& told);

nlohmann::ordered_json tell_message(const SeenProblem& problem, std::span<const ToldTrial> trials);

/// `{"launches", "launches_left", "trials", "retries", "repeats", "gpu_hours", "gpu_hours_left"}`;
/// the last is null, as no study has a limit of them. Launches are integers while all were whole.
nlohmann::ordered_json budget_json(const Balance& balance);

/// A message as it is read: an object with a `type`. Throws Refused, one sentence, for what is
/// none.
nlohmann::ordered_json read_message(std::string_view line);

/// May launches of the study be short? The first message says so, `"fidelities": true`.
bool serves_fidelities(const StudySpec& spec);

/// A `fidelity` of a message, or one of its `fidelities`; null means 1. Throws Refused for what is
/// no number in (0, 1].
double fidelity_in(const nlohmann::ordered_json& json);

/// The `config` of a message; null where it is absent.
nlohmann::ordered_json config_in(const nlohmann::ordered_json& message);

}  // namespace cubicbench::search
