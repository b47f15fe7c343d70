#include "search/backends/slurm_end.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "search/backends/job_log.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

/// Looks for what slurmstepd says in the standard error of its job: lines of its own.
class StepdLines {
 public:
  explicit StepdLines(LoggedJob& logged) : logged_(logged) {}

  void add(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view piece = text.substr(0, end);
      line_ += piece.substr(0, line_max - std::min(line_max, line_.size()));
      if (end == std::string_view::npos) return;
      end_line();
      text.remove_prefix(end + 1);
    }
  }
  void end_line() {
    logged_.timed_out = logged_.timed_out || says_timeout(line_);
    logged_.out_of_memory = logged_.out_of_memory || says_out_of_memory(line_);
    line_.clear();
  }

 private:
  static constexpr std::size_t line_max = 1000;
  LoggedJob& logged_;
  std::string line_;
};

/// Hands the file to `sink` piece by piece; nothing where there is none.
template <typename Sink>
bool read_pieces(const fs::path& path, Sink sink) {
  const support::FileDescriptor file(
      ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return false;
  std::array<char, chunk_bytes> chunk;
  for (;;) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    sink(std::string_view(chunk.data(), static_cast<std::size_t>(got)));
  }
}

/// When a file was made, where the file system knows it, and when it was written to, last.
void note_times(const fs::path& path, LoggedJob& logged) {
  struct statx status {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME | STATX_MTIME, &status) !=
      0) {
    return;
  }
  const auto seconds = [](const statx_timestamp& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  if ((status.stx_mask & STATX_BTIME) != 0) logged.started_s = seconds(status.stx_btime);
  logged.ended_s = std::max(logged.ended_s.value_or(0.0), seconds(status.stx_mtime));
}

}  // namespace

LoggedJob read_logs(const SlurmBatch& batch, std::size_t task) {
  LoggedJob logged;
  JobLog out;
  JobLog err;
  StepdLines stepd(logged);
  const fs::path out_file = batch.file(task, "out");
  const fs::path err_file = batch.file(task, "err");
  logged.began = read_pieces(out_file, [&](std::string_view text) { out.add(text); });
  read_pieces(err_file, [&](std::string_view text) {
    err.add(text);
    stepd.add(text);
  });
  stepd.end_line();
  note_times(err_file, logged);
  note_times(out_file, logged);
  logged.last_line = out.last_line();
  logged.out_of_memory = logged.out_of_memory || out.out_of_memory() || err.out_of_memory();
  logged.reported_step = out.reported_step() || err.reported_step();
  return logged;
}

ObservedJob observed_of(const JobEnd& end, const LoggedJob& logged, bool ended_by_us) {
  const bool by_itself =
      end.state == "COMPLETED" || end.state == "FAILED" || end.state == "OUT_OF_MEMORY";
  return {.last_line = logged.last_line,
          .timed_out = end.state == "TIMEOUT" || logged.timed_out || (ended_by_us && !by_itself),
          .out_of_memory = end.state == "OUT_OF_MEMORY" || logged.out_of_memory,
          .reported_step = logged.reported_step,
          .exit_code = by_itself ? end.exit_code : -1,
          .signal = by_itself ? end.signal : 0};
}

}  // namespace cubicbench::search
