#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubicbench::search {

/// A last line that is longer is no message of ours [docs/reference/wire-protocols.md].
inline constexpr std::size_t line_bytes_max = std::size_t{1} << 20;

/// What is remembered of one stream of a job's log, in little memory however long it is and however
/// it is cut into pieces: its last line, and two facts.
class JobLog {
 public:
  /// The next piece of the stream, cut wherever it may be.
  void add(std::string_view text);

  /// The last line that is not blank, complete or not, without its end; lines end with a newline or
  /// a carriage return. Empty when there was none or it is longer than `line_bytes_max`.
  std::string_view last_line() const;

  /// Whether some line reported a training step: the word `step`, `iteration` or `iter`, then its
  /// number, then another one, as in "step: 1  loss: 12.2" and "iteration 1/ 100 | ...", but not
  /// in "Training starts at step 1". Colours do not matter, nor does the case.
  bool reported_step() const { return reported_step_; }

  /// Whether it says "out of memory", "OutOfMemoryError" or "CUDA_ERROR_OUT_OF_MEMORY", in any
  /// case.
  bool out_of_memory() const { return out_of_memory_; }

 private:
  void keep(std::string_view piece);
  void end_line();
  void look_for_memory(std::string_view text);
  void look_for_step(std::string_view text);
  void end_word();

  std::string line_;       ///< begun and not ended
  std::string last_;       ///< the last that ended and is not blank
  bool blank_ = true;      ///< `line_` so far
  bool overlong_ = false;  ///< `line_` so far

  bool out_of_memory_ = false;
  std::string tail_;  ///< the end of what came before, in lower case

  enum class Escape { none, begun, inside };
  enum class Seen { nothing, word, number, after_number };
  bool reported_step_ = false;
  Escape escape_ = Escape::none;
  Seen seen_ = Seen::nothing;
  std::string word_;  ///< begun and not ended, in lower case, as far as it matters
};

}  // namespace cubicbench::search
