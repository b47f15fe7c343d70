#include "cli/terminal/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "results/document/bars.h"
#include "support/files.h"

namespace cubicbench::cli {
namespace {

constexpr double redraw_s = 0.1;
constexpr double rate_known_after_s = 0.5;
constexpr std::string_view wipe = "\r\x1b[K";

void write_to_terminal(std::string_view text) {
  support::write_all(STDERR_FILENO, text);  // a bar that cannot be drawn is no reason to stop
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : results::text_columns;
}

bool can_wipe_a_line() {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

Progress::Progress(Surroundings surroundings, std::string of)
    : surroundings_(std::move(surroundings)), of_(std::move(of)) {}

Progress::~Progress() { clear(); }

void Progress::show(std::int64_t done, std::int64_t total) {
  const double now_s = surroundings_.now_s();
  const std::lock_guard lock(mutex_);
  if (!began_s_) {
    began_s_ = now_s;
    done_at_first_ = done;
  }
  done_ = std::max(done_, done);
  if (!drawn_s_ || now_s - *drawn_s_ >= redraw_s) {
    drawn_s_ = now_s;
    draw(now_s, total);
  }
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (visible_) {
    surroundings_.write(wipe);
    visible_ = false;
  }
}

void Progress::draw(double now_s, std::int64_t total) {
  const double elapsed_s = now_s - *began_s_;
  std::optional<double> rate_per_s;
  if (elapsed_s >= rate_known_after_s) {
    rate_per_s = static_cast<double>(done_ - done_at_first_) / elapsed_s;
  }
  // One column stays free: a terminal breaks the line when its last one is written.
  const std::string line =
      results::progress_line(done_, total, rate_per_s, surroundings_.columns() - 1, of_);
  surroundings_.write(std::string(wipe) + line);
  visible_ = true;
}

std::unique_ptr<Progress> terminal_progress(bool quiet, const std::string& of) {
  if (quiet || !can_wipe_a_line()) return nullptr;
  return std::make_unique<Progress>(
      Progress::Surroundings{
          .write = write_to_terminal, .now_s = steady_seconds, .columns = terminal_columns},
      of);
}

}  // namespace cubicbench::cli
