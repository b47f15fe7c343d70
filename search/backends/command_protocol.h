#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"
#include "search/backends/backend.h"

namespace cubicbench::search {

/// The line that a command is told what to run with, its newline included [docs/real-runs.md].
/// `config` has the active parameters; `launch` the whole plan [search/backends/launch.h].
std::string request_line(const scenarios::Scenario& scenario, const Launch& launch,
                         double time_limit_s);

/// What a command answered.
struct Answer {
  scenarios::TrialOutcome outcome;       ///< its cost and duration are not the command's to say
  std::optional<double> cost_gpu_hours;  ///< where the command said it
  std::string message;                   ///< likewise; else empty
  bool not_a_number = false;  ///< complete, but for a value that is nan or infinite; then no more
};

/// Reads the last line of a command's output. Throws InputError, `answer#/value: expected a number,
/// got "5"`, where it is no answer: no JSON object, a
/// state other than complete and fail, complete without a value or with a reason, fail without a
/// known reason or with a value, a metric that is no finite number, a negative cost, a message that
/// is no string. Other keys are ignored; null means absent. Beside a number, `value` may be NaN,
/// Infinity or -Infinity as Python writes them, or a string of nan or inf.
Answer parse_answer(std::string_view line);

/// The same; nothing where it is no answer.
std::optional<Answer> read_answer(std::string_view line);

/// What was seen of a job that has ended.
struct ObservedJob {
  std::string_view last_line{};  ///< of its standard output
  bool timed_out = false;
  bool out_of_memory = false;  ///< said somewhere in its log
  bool reported_step = false;  ///< likewise
  int exit_code = -1;
  int signal = 0;  ///< that ended it, or 0
};

/// The table of docs/real-runs.md, first row that fits. A job whose shell was killed by
/// SIGKILL counts as exit 137, as a shell would report it; a job that ran out of memory did so late
/// when it reported a step at all. `hours` is what it took; `gpus` times that is its cost unless
/// it says another.
scenarios::TrialOutcome outcome_of(const ObservedJob& job, double hours, double gpus);

}  // namespace cubicbench::search
