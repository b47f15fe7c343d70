#include "cli/terminal/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <stop_token>
#include <utility>

#include "results/document/bars.h"
#include "support/files.h"

namespace cubicbench::cli {
namespace {

constexpr double redraw_s = 0.1;
constexpr double line_every_s = 9.0;  // looked at every second, so that ten are never passed
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

/// When this program began, or last said a line of progress.
std::atomic<double>& last_line_s() {
  static std::atomic<double> time_s = steady_seconds();
  return time_s;
}

bool can_wipe_a_line() {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

Progress::Progress(Surroundings surroundings, std::string of)
    : surroundings_(std::move(surroundings)), of_(std::move(of)) {}

Progress::~Progress() {
  talker_ = {};
  clear();
}

void Progress::show(std::int64_t done, std::int64_t total) {
  const double now_s = surroundings_.now_s();
  const std::lock_guard lock(mutex_);
  if (!began_s_) {
    began_s_ = now_s;
    done_at_first_ = done;
    // What is soon done needs no line; what follows other work that said nothing does.
    if (!surroundings_.wipes) {
      drawn_s_ = surroundings_.last_line_s == nullptr ? now_s : surroundings_.last_line_s->load();
    }
  }
  done_ = std::max(done_, done);
  total_ = total;
  draw_if_due(now_s);
}

void Progress::keep_talking() {
  talker_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex waiting;
    std::condition_variable_any woken;
    std::unique_lock own(waiting);
    const auto second = std::chrono::seconds(1);
    while (!woken.wait_for(own, stop, second, [&] { return stop.stop_requested(); })) {
      const double now_s = surroundings_.now_s();
      const std::lock_guard lock(mutex_);
      if (began_s_) draw_if_due(now_s);
    }
  });
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (visible_) {
    surroundings_.write(wipe);
    visible_ = false;
  }
}

void Progress::draw_if_due(double now_s) {
  const double every_s = surroundings_.wipes ? redraw_s : line_every_s;
  if (drawn_s_ && now_s - *drawn_s_ < every_s) return;
  drawn_s_ = now_s;
  const double elapsed_s = now_s - *began_s_;
  std::optional<double> rate_per_s;
  if (elapsed_s >= rate_known_after_s) {
    rate_per_s = static_cast<double>(done_ - done_at_first_) / elapsed_s;
  }
  if (!surroundings_.wipes) {
    if (surroundings_.last_line_s != nullptr) *surroundings_.last_line_s = now_s;
    surroundings_.write(results::progress_words(done_, total_, rate_per_s, of_) + "\n");
    return;
  }
  // One column stays free: a terminal breaks the line when its last one is written.
  surroundings_.write(std::string(wipe) + results::progress_line(done_, total_, rate_per_s,
                                                                 surroundings_.columns() - 1, of_));
  visible_ = true;
}

std::unique_ptr<Progress> terminal_progress(bool quiet, const std::string& of) {
  if (quiet) return nullptr;
  const bool wipes = can_wipe_a_line();
  auto progress = std::make_unique<Progress>(Progress::Surroundings{.write = write_to_terminal,
                                                                    .now_s = steady_seconds,
                                                                    .columns = terminal_columns,
                                                                    .wipes = wipes,
                                                                    .last_line_s = &last_line_s()},
                                             of);
  if (!wipes) progress->keep_talking();
  return progress;
}

}  // namespace cubicbench::cli
