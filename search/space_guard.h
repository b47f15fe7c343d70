#pragma once

#include <deque>

#include "scenarios/search_space.h"
#include "search/backend.h"

namespace cubicbench::search {

/// Stands before a backend that could not launch what is not in the space: such a launch ends at
/// once as `invalid`, at no cost, and the backend does not hear of it.
class SpaceGuard final : public Backend {
 public:
  /// `began_h`: the study's time at which the backend's clock begins. Both must outlive this one.
  SpaceGuard(Backend& backend, const scenarios::SearchSpace& space, double began_h)
      : backend_(backend), space_(space), now_h_(began_h) {}

  void start(Launch launch) override;
  Finished wait() override;

 private:
  Backend& backend_;
  const scenarios::SearchSpace& space_;
  double now_h_ = 0.0;  ///< end of the launch that came last
  std::deque<Launch> outside_;
};

}  // namespace cubicbench::search
