#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cubicbench::datasets {

/// What a thread needs and nobody wants to make anew for every piece of work: as many as work at
/// the same time, each kept for the next piece. Threads may share it.
template <typename Worker>
class KeptWorkers {
 public:
  /// One that is idle, or else what `make` returns, which is called without the lock.
  template <typename Make>
  std::unique_ptr<Worker> take(const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return make();
  }

  void put_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }

  /// All that were put back. Requires that nobody works.
  const std::vector<std::unique_ptr<Worker>>& idle() const { return idle_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace cubicbench::datasets
