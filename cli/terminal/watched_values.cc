#include "cli/terminal/watched_values.h"

#include <system_error>
#include <utility>

#include "cli/terminal/note.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;

/// Where values spill that no output lies beside: the working folder where there is no other.
fs::path temporary_path() {
  std::error_code none;
  const fs::path folder = fs::temp_directory_path(none);
  return (none ? fs::path() : folder) / "cubicbench";
}

}  // namespace

WatchedValues::WatchedValues(bool quiet, std::uint64_t total, int threads, fs::path beside)
    : progress_(terminal_progress(quiet, "configurations")) {
  run_ = {.threads = threads,
          .beside = beside.empty() ? temporary_path() : std::move(beside),
          .progress = [this, all = static_cast<std::int64_t>(total)](std::uint64_t more) {
            const std::int64_t done = done_ += static_cast<std::int64_t>(more);
            if (progress_ != nullptr) progress_->show(done, all);
            look();
          }};
}

void WatchedValues::look() const { end_if_requested(watch_, "nothing was written"); }

void WatchedValues::finish() {
  if (progress_ != nullptr) progress_->clear();
  look();
}

}  // namespace cubicbench::cli
