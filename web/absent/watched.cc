#include "cli/terminal/watched.h"

#include "cli/terminal/progress.h"

// In the place of cli/terminal/progress.cc and watched.cc: nobody watches a page's worker, and no
// signal ends it.
namespace cubicbench::cli {

Progress::~Progress() = default;

void say_note(std::string_view /*text*/, bool /*quiet*/) {}

WatchedCount::WatchedCount(bool /*quiet*/, std::uint64_t total, const std::string& /*of*/)
    : total_(static_cast<std::int64_t>(total)) {}

void WatchedCount::add(std::uint64_t /*more*/) {}

void WatchedCount::finish() {}

}  // namespace cubicbench::cli
