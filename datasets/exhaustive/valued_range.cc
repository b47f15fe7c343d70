#include "datasets/exhaustive/valued_range.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>

#include "datasets/exhaustive/kept_workers.h"
#include "datasets/exhaustive/run_pile.h"
#include "scenarios/space/space_walk.h"
#include "scenarios/truth/true_values.h"
#include "sim/base/check.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;
using scenarios::Instance;
using scenarios::Reason;
using scenarios::TrueValue;

static_assert(static_cast<std::size_t>(Reason::numeric) + 1 == reason_count);

/// Numbers that one thread takes at a time: neighbours share what TrueValues remembers.
constexpr std::uint64_t block_max = std::uint64_t{1} << 16;
/// How many it values before it tells.
constexpr std::uint64_t told_at_once = 1024;
/// Runs that all threads together hold before they spill; 16 bytes each.
constexpr std::size_t runs_held_max = std::size_t{1} << 24;
constexpr std::size_t runs_held_min = std::size_t{1} << 18;

/// What a thread needs for block after block.
class Worker {
 public:
  Worker(const Instance& instance, std::size_t runs_max, RunSpill& spill,
         const std::optional<ValueSketch>& sketch)
      : sketch_(sketch),
        diagram_(instance.scenario().space.diagram()),
        direction_(instance.scenario().objective.direction),
        values_(instance),
        pile_(runs_max, spill) {}

  void value(NumberRange range, std::span<TrueValue> kept,
             const std::function<void(std::uint64_t)>& progress) {
    scenarios::SpaceWalk walk(diagram_, range.first);
    std::uint64_t told = 0;
    for (std::uint64_t i = 0; i < range.count; ++i) {
      if (i > 0) walk.advance();
      const TrueValue value = values_.at(walk.configuration());
      add(value, walk.number());
      if (!kept.empty()) kept[i] = value;
      if (progress && i + 1 - told == told_at_once) {
        progress(i + 1 - told);
        told = i + 1;
      }
    }
    if (progress && told < range.count) progress(range.count - told);
  }

  void give(ValuedRange& all) {
    for (std::size_t i = 0; i < reason_count; ++i) all.failures[i] += failures_[i];
    all.best.add(best_, direction_);
    for (RunSource& source : pile_.take()) all.values.push_back(std::move(source));
  }

 private:
  void add(const TrueValue& value, std::uint64_t number) {
    if (value.reason != Reason::none) {
      ++failures_[static_cast<std::size_t>(value.reason)];
      return;
    }
    pile_.add(sketch_ ? (*sketch_)(value.value) : value.value);
    best_.add(value.value, number, direction_);
  }

  std::optional<ValueSketch> sketch_;
  const scenarios::SpaceDiagram& diagram_;
  Direction direction_;
  scenarios::TrueValues values_;
  RunPile pile_;
  ReasonCounts failures_{};
  BestFound best_;
};

std::size_t runs_max_of(int threads) {
  const std::size_t workers = threads > 0 ? static_cast<std::size_t>(threads)
                                          : std::max(1U, std::thread::hardware_concurrency());
  return std::max(runs_held_min, runs_held_max / workers);
}

/// Small enough that all threads have work to the end.
std::uint64_t block_of(std::uint64_t count) {
  constexpr std::uint64_t blocks_wanted = 256;
  return std::clamp<std::uint64_t>(count / blocks_wanted, 1, block_max);
}

}  // namespace

ValuedRange valued_range(const Instance& instance, NumberRange range, const ValuingRun& run,
                         std::span<TrueValue> kept, const std::optional<ValueSketch>& sketch) {
  const std::uint64_t space = instance.scenario().space.count();
  SIM_ASSERT(range.first <= space && range.count <= space - range.first, range.first, range.count);
  SIM_ASSERT(kept.empty() || kept.size() == range.count, kept.size(), range.count);
  RunSpill spill(run.beside);
  const std::size_t runs_max = runs_max_of(run.threads);
  KeptWorkers<Worker> workers;
  const std::uint64_t block = block_of(range.count);
  const std::uint64_t blocks = (range.count + block - 1) / block;
  support::parallel_for(static_cast<std::size_t>(blocks), run.threads, [&](std::size_t b) {
    const std::uint64_t begin = b * block;
    const std::uint64_t count = std::min(block, range.count - begin);
    if (run.progress) run.progress(0);  // throws once the end is asked for
    std::unique_ptr<Worker> worker =
        workers.take([&] { return std::make_unique<Worker>(instance, runs_max, spill, sketch); });
    worker->value({.first = range.first + begin, .count = count},
                  kept.empty() ? kept : kept.subspan(begin, count), run.progress);
    workers.put_back(std::move(worker));
  });
  ValuedRange all;
  for (const std::unique_ptr<Worker>& worker : workers.idle()) worker->give(all);
  return all;
}

FailureCounts failures_of(const ReasonCounts& counts) {
  FailureCounts failures;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i] > 0) failures.emplace_back(static_cast<scenarios::Reason>(i), counts[i]);
  }
  return failures;
}

std::uint64_t failed_in(const ReasonCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace cubicbench::datasets
