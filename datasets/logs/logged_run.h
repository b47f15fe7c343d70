#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

/// What a log states of one column of the measurement schema.
struct LoggedCell {
  std::string_view column;
  std::string text;
  std::string name;      ///< what the log calls it
  std::size_t line = 0;  ///< of the log; 0: from the command line
};

/// One record of a training step, or of the mean of several. One of the three speeds is above
/// zero, the same of all records of a run.
struct LoggedStep {
  std::size_t line = 0;
  std::int64_t number = 0;  ///< as the program counts
  double seconds = 0.0;     ///< of one step
  double tokens_per_s_per_gpu = 0.0;
  double samples_per_s = 0.0;  ///< of all GPUs
  double rounding = 0.0;       ///< half of the last digit of the speed, relative
  double batch = 0.0;          ///< sequences of the step; 0: not stated
  /// What else the record says that grows as the step gets faster (FLOP/s, tokens/s, shares of a
  /// peak): each times the step time is the same in all records with as much work.
  struct Rate {
    std::string_view name;
    double value = 0.0;
    double rounding = 0.0;
  };
  std::vector<Rate> rates{};
};

/// Something that looks like a record of the program and is not used, or not in full.
struct NotUnderstood {
  std::size_t line = 0;
  std::string what;
};

/// The highest peak of memory that a log states.
struct LoggedPeak {
  double gib = 0.0;
  std::string kind;  ///< reserved, allocated, device
  std::size_t line = 0;
};

/// What a log says of a run. Nothing is filled in here.
struct LoggedRun {
  std::string file{}, format{}, version{};
  std::vector<LoggedCell> cells{};
  std::vector<LoggedStep> steps{};
  /// Lines that say that something else than training happens: evaluations, checkpoints.
  std::vector<std::size_t> pauses{};
  bool ramps = false;  ///< the batch grows to that of its cell
  std::optional<LoggedPeak> peak{};
  std::optional<std::size_t> out_of_memory{};  ///< line that says so
  std::vector<NotUnderstood> not_understood{};
  std::vector<std::string> notes{};
};

}  // namespace cubicbench::datasets
