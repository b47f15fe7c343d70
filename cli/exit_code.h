#pragma once

namespace cubicbench::cli {

/// What the program ends with (README.md).
enum ExitCode {
  done = 0,
  answer_is_no = 1,
  bad_input = 2,
  world_failed = 3,
  ended_by_signal = 128  ///< and the signal's number
};

}  // namespace cubicbench::cli
