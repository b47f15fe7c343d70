#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "datasets/exhaustive/run_code.h"
#include "datasets/exhaustive/run_source.h"

namespace cubicbench::datasets {

/// Where runs go that memory does not hold: a file of its own in a folder, without a name, so that
/// nothing of it is left however the program ends. Threads may share it.
class RunSpill {
 public:
  /// The file is made when it is needed. `beside`: a path in the folder.
  explicit RunSpill(std::filesystem::path beside) : beside_(std::move(beside)) {}

  /// Throws OutputError.
  RunSegment write(std::span<const ValueRun> runs);

 private:
  void open();

  std::filesystem::path beside_;
  std::mutex mutex_;
  std::shared_ptr<const support::FileDescriptor> file_;
  std::uint64_t end_ = 0;
};

/// The distribution of values that come one by one, in any order, in bounded memory: sorted runs
/// that are joined while there are few, and spilled when there are many.
///
/// `spill` must outlive it. Not to be shared by threads.
class RunPile {
 public:
  /// At most about 2 x `runs_max` runs of 16 bytes are held.
  RunPile(std::size_t runs_max, RunSpill& spill) : runs_max_(runs_max), spill_(spill) {}

  /// Requires a finite value.
  void add(double value) {
    buffer_.push_back(ordered_bits(value + 0.0));  // of -0 makes 0
    if (buffer_.size() == buffer_max) sort_buffer();
  }

  /// All that was added, in sources that are each ascending. The pile is empty afterwards.
  std::vector<RunSource> take();

 private:
  static constexpr std::size_t buffer_max = std::size_t{1} << 18;

  void sort_buffer();
  void join_last_two();
  void spill_all();

  std::size_t runs_max_;
  RunSpill& spill_;
  std::vector<std::uint64_t> buffer_;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::vector<ValueRun>> levels_;  ///< each more than twice as long as the next
  std::size_t held_ = 0;                       ///< runs in `levels_`
  std::vector<RunSource> spilled_;
};

}  // namespace cubicbench::datasets
