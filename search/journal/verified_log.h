#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "support/files.h"

namespace cubicbench::search {

/// Where a log lies. Where `folder` is the descriptor of an open folder, the file is opened in that
/// one, wherever it has been moved and whatever has its name now; `path` names it in messages.
struct LogPlace {
  std::filesystem::path path;
  int folder = no_folder;

  static constexpr int no_folder = -1;  ///< the file is what `path` names
};

/// A file of lines that is only ever appended to, and that a later run of the same work goes
/// through again: while it still holds lines of an earlier run, `put` compares with them, byte for
/// byte, and then it appends. Not to be shared by threads.
class VerifiedLog {
 public:
  /// Reads the file, which may be missing. What follows the last newline, and a last line that is
  /// no JSON, was torn off in writing and is cut away. `sync`: every append is flushed to the disk.
  /// Throws OutputError when the file cannot be opened or cut.
  ///
  /// `Lines::secret`: messages name a line that differs, and say nothing of what it holds.
  enum class Lines { shown, secret };
  VerifiedLog(LogPlace place, bool sync, Lines lines = Lines::shown);

  /// `line` ends in the one newline it has. Throws InputError, `PATH:LINE#/key: expected ...`, when
  /// the earlier run had another line here. Appends by one write(2), so that it is with the
  /// operating system on return; throws OutputError when that fails, with nothing of the line left.
  /// Only then, or to cut what was torn off, is the file opened for writing or created.
  void put(std::string_view line);

  /// Lines of the earlier run, compared already or not.
  std::int64_t earlier_lines() const;
  bool is_replayed() const { return position_ >= earlier_.size(); }
  const std::filesystem::path& path() const { return place_.path; }

  /// Throws InputError when lines of the earlier run are left.
  void require_end() const;

 private:
  void verify(std::string_view line);
  void append(std::string_view line);
  support::FileDescriptor open(int flags) const;
  void open_for_appending();
  /// Reports what `errno` says after cutting the file to `size_` again.
  [[noreturn]] void take_back() const;
  [[noreturn]] void fail(std::string_view what) const;

  LogPlace place_;
  bool sync_ = false;
  Lines lines_ = Lines::shown;
  support::FileDescriptor file_;  ///< for appending; none until something is to be written
  std::int64_t size_ = 0;         ///< of the file in bytes; no other process writes to it
  std::string earlier_;           ///< whole lines of the earlier run
  std::size_t position_ = 0;      ///< in `earlier_`: what is next to be compared
  std::size_t line_ = 1;          ///< number of the next line
};

}  // namespace cubicbench::search
