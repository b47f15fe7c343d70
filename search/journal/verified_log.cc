#include "search/journal/verified_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "sim/base/check.h"
#include "support/input_error.h"
#include "support/json/json_difference.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

/// A folder can be opened for reading; says so in errno.
bool is_folder(const support::FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  errno = EISDIR;
  return true;
}

bool is_json(std::string_view text) {
  try {
    support::parse_json(text, "");
    return true;
  } catch (const support::InputError&) {
    return false;
  }
}

/// Bytes of `text` up to the end of its last line that was written whole.
std::size_t whole_lines(std::string_view text) {
  const std::size_t end = text.rfind('\n') + 1;  // npos + 1 is 0
  if (end == 0 || end < text.size()) return end;
  const std::size_t begin = end == 1 ? 0 : text.rfind('\n', end - 2) + 1;
  return is_json(text.substr(begin)) ? end : begin;
}

}  // namespace

VerifiedLog::VerifiedLog(LogPlace place, bool sync, Lines lines)
    : place_(std::move(place)), sync_(sync), lines_(lines) {
  const support::FileDescriptor found = open(O_RDONLY);
  if (!found && errno == ENOENT) return;
  if (!found || is_folder(found)) fail("be opened");
  earlier_ = support::read_open_file(found, path());
  const std::size_t whole = whole_lines(earlier_);
  if (whole == earlier_.size()) return;
  earlier_.resize(whole);
  open_for_appending();
  size_ = std::ssize(earlier_);
  if (::ftruncate(file_.get(), size_) != 0) fail("be cut to whole lines");
}

support::FileDescriptor VerifiedLog::open(int flags) const {
  const bool is_placed = place_.folder != LogPlace::no_folder;
  const std::filesystem::path name = is_placed ? path().filename() : path();
  return support::FileDescriptor(::openat(is_placed ? place_.folder : AT_FDCWD, name.c_str(),
                                          flags | O_NONBLOCK | O_CLOEXEC, mode_t{0666}));
}

void VerifiedLog::open_for_appending() {
  file_ = open(O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW);
  if (!file_) fail("be opened");
  size_ = ::lseek(file_.get(), 0, SEEK_END);
}

void VerifiedLog::put(std::string_view line) {
  SIM_ASSERT(line.find('\n') + 1 == line.size());
  if (position_ < earlier_.size()) {
    verify(line);
  } else {
    append(line);
  }
  ++line_;
}

void VerifiedLog::verify(std::string_view line) {
  const std::string_view rest = std::string_view(earlier_).substr(position_);
  const std::string_view found = rest.substr(0, rest.find('\n') + 1);
  position_ += found.size();
  if (found == line) return;
  const std::string where = path().string() + ":" + std::to_string(line_);
  if (lines_ == Lines::secret && line_ > 1) {  // the header is no secret
    throw support::InputError(where, "expected the line of this launch, got another");
  }
  if (!is_json(found)) {
    throw support::InputError(where, "expected a line of JSON, got " +
                                         support::shortened(found.substr(0, found.size() - 1)));
  }
  const std::vector<support::JsonDifference> all =
      support::differences(support::parse_json(line, ""), support::parse_json(found, ""));
  if (all.empty()) {
    throw support::InputError(where, "expected the line byte for byte as written, got " +
                                         support::other_bytes(line, found));
  }
  const support::JsonDifference& first = all.front();  // of two lines out of step the rest is noise
  throw support::InputError(first.pointer.empty() ? where : where + "#" + first.pointer,
                            support::text_of(first));
}

void VerifiedLog::append(std::string_view line) {
  if (!file_) open_for_appending();
  if (!support::write_all(file_.get(), line)) take_back();
  size_ += std::ssize(line);
  if (sync_ && ::fsync(file_.get()) != 0) fail("be flushed");
}

void VerifiedLog::take_back() const {
  const int error = errno;
  const bool cut = size_ >= 0 && ::ftruncate(file_.get(), size_) == 0;
  errno = error;
  fail(cut ? "be written" : "be written, nor cut to whole lines");
}

std::int64_t VerifiedLog::earlier_lines() const { return std::ranges::count(earlier_, '\n'); }

void VerifiedLog::require_end() const {
  if (is_replayed()) return;
  throw support::InputError(path().string() + ":" + std::to_string(line_),
                            "expected the end of the study, got another line");
}

void VerifiedLog::fail(std::string_view what) const {
  throw support::OutputError(path().string() + ": cannot " + std::string(what) + ": " +
                             std::system_category().message(errno));
}

}  // namespace cubicbench::search
