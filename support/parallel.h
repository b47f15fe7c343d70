#pragma once

#include <cstddef>
#include <functional>

namespace cubicbench::support {

/// Calls `body(i)` once for every i in [0, count), on up to `threads` threads (0: all cores; 1: the
/// caller's, in order). Calls may run in any order and at the same time, so each writes to a slot
/// of its own. Returns when all have ended; if some threw, the exception of the lowest index is
/// rethrown then. After a signal that a watch has caught no more are made, and Interrupted
/// is thrown. Requires threads >= 0.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

}  // namespace cubicbench::support
