#include "support/parallel.h"

#include <exception>
#include <vector>

#include "sim/base/check.h"
#include "support/interruption.h"

#ifdef CUBICBENCH_SERIAL
// Nothing to include.
#elif defined(CUBICBENCH_JTHREAD)
#include <algorithm>
#include <atomic>
#include <thread>
#else
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <optional>
#endif

namespace cubicbench::support {
namespace {

using Call = std::function<void(std::size_t)>;

#ifdef CUBICBENCH_SERIAL

// A page of the browser has one thread.
void run_parallel(std::size_t count, int /*threads*/, const Call& call) {
  for (std::size_t i = 0; i < count; ++i) call(i);
}

#elif defined(CUBICBENCH_JTHREAD)

// A oneTBB that was built without instrumentation reports races that are not there.
void run_parallel(std::size_t count, int threads, const Call& call) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t workers =
      std::min(count, threads == 0 ? cores : static_cast<std::size_t>(threads));
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) call(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < workers; ++i) others.emplace_back(work);
  work();
}

#else

void run_parallel(std::size_t count, int threads, const Call& call) {
  std::optional<tbb::global_control> more_than_cores;
  if (threads > 0) {
    more_than_cores.emplace(tbb::global_control::max_allowed_parallelism,
                            static_cast<std::size_t>(threads));
  }
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : threads);
  arena.execute([&] {
    const tbb::blocked_range<std::size_t> range(0, count, 1);
    const auto body = [&](const tbb::blocked_range<std::size_t>& part) {
      for (std::size_t i = part.begin(); i < part.end(); ++i) call(i);
    };
    tbb::parallel_for(range, body, tbb::simple_partitioner());
  });
}

#endif

}  // namespace

void parallel_for(std::size_t count, int threads, const Call& body) {
  SIM_ASSERT(threads >= 0, threads);
  std::vector<std::exception_ptr> thrown(count);
  const auto call = [&](std::size_t i) {
    if (is_interrupted()) return;
    try {
      body(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  if (threads == 1 || count < 2) {
    for (std::size_t i = 0; i < count; ++i) call(i);
  } else {
    run_parallel(count, threads, call);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
  end_if_interrupted();
}

}  // namespace cubicbench::support
