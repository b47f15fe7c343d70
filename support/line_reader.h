#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cubicbench::support {

/// The lines that somebody sends, as they come. Not to be shared by threads.
class LineReader {
 public:
  /// Does not own `fd`. A line of more than `line_max` bytes is nobody's.
  LineReader(int fd, std::size_t line_max) : fd_(fd), line_max_(line_max) {}

  /// Waits for the next line, without its newline; a last one may lack it. Nothing at the end, and
  /// when `stopped` becomes true. Throws OutputError for one that is too long.
  std::optional<std::string> next(const std::function<bool()>& stopped);

 private:
  std::optional<std::string> taken(std::size_t end);
  /// Reads what is there; false at the end.
  bool read_more();

  int fd_;
  std::size_t line_max_;
  std::string read_;
  std::size_t looked_at_ = 0;  ///< bytes of `read_` that hold no newline
};

}  // namespace cubicbench::support
