#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/plan/pass_source.h"

namespace cubicbench::sim {

/// A number for every forward pass and every backward pass of a shape; none has one at first.
class PassTable {
 public:
  static constexpr std::int32_t none = -1;

  void clear(const SplitShape& shape) {
    chunks_ = static_cast<std::size_t>(shape.chunks());
    micro_batches_ = static_cast<std::size_t>(shape.micro_batches);
    numbers_.assign(static_cast<std::size_t>(shape.stages) * 2 * chunks_ * micro_batches_, none);
  }

  void set(std::int64_t stage, const PipelinePass& pass, std::int32_t number) {
    numbers_[row(stage, pass.kind, pass.chunk, pass.micro_batch)] = number;
  }
  /// Of the pass of `micro_batch` that `source` names.
  std::int32_t of(const PassSource& source, std::int32_t micro_batch) const {
    return numbers_[row(source.stage, source.kind, source.chunk, micro_batch)];
  }

 private:
  std::size_t row(std::int64_t stage, PassKind kind, std::int64_t chunk,
                  std::int32_t micro_batch) const {
    const std::size_t way = kind == PassKind::forward ? 0 : 1;
    return ((static_cast<std::size_t>(stage) * 2 + way) * chunks_ +
            static_cast<std::size_t>(chunk)) *
               micro_batches_ +
           static_cast<std::size_t>(micro_batch);
  }

  std::vector<std::int32_t> numbers_;
  std::size_t chunks_ = 1;
  std::size_t micro_batches_ = 1;
};

}  // namespace cubicbench::sim
