#include "sim/plan/zero_bubble_order.h"

#include <algorithm>

namespace cubicbench::sim {

void write_zero_bubble(const SplitShape& shape, StageQueues& queues) {
  const std::int64_t n = shape.micro_batches;
  const std::int64_t g = shape.schedule == Schedule::zb_h1 ? 1 : 2;
  for (std::int64_t i = 0; i < shape.stages; ++i) {
    const auto add = [&](PassKind kind, std::int64_t micro_batch) {
      queues.add(i, {.kind = kind, .micro_batch = static_cast<std::int32_t>(micro_batch)});
    };
    const std::int64_t ahead = std::min(n, g * (shape.stages - i - 1));
    const std::int64_t late = std::min(n, g * i);
    for (std::int64_t k = 0; k < ahead; ++k) add(PassKind::forward, k);
    for (std::int64_t k = 0; k < n; ++k) {
      if (k + ahead < n) add(PassKind::forward, k + ahead);
      add(PassKind::backward_input, k);
      if (k >= late) add(PassKind::backward_weights, k - late);
    }
    for (std::int64_t k = n - late; k < n; ++k) add(PassKind::backward_weights, k);
  }
}

}  // namespace cubicbench::sim
