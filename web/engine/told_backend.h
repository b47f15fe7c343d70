#pragma once

#include <utility>
#include <vector>

#include "search/backends/simulated_backends.h"

namespace cubicbench::web {

/// The simulated cluster, which keeps what has ended for who draws it.
class ToldBackend final : public search::Backend {
 public:
  explicit ToldBackend(scenarios::Instance instance) : backend_(std::move(instance)) {}

  bool runs_short_launches() const override { return backend_.runs_short_launches(); }
  void start(search::Launch launch) override { backend_.start(std::move(launch)); }
  search::Finished wait() override { return ended_.emplace_back(backend_.wait()); }

  /// What has ended since it was asked last.
  std::vector<search::Finished> taken() { return std::exchange(ended_, {}); }

 private:
  search::SimulatorBackend backend_;
  std::vector<search::Finished> ended_;
};

}  // namespace cubicbench::web
