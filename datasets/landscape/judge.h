#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// The noise-free values of the configurations of a space by their numbers, one a number, in order.
using Judge = std::function<std::vector<scenarios::TrueValue>(std::span<const std::uint64_t>)>;

/// What a judge said: it is asked about no configuration twice. The judge must outlive it.
class JudgedValues {
 public:
  explicit JudgedValues(const Judge& judge) : judge_(judge) {}

  /// In one question about all of them, in rising order.
  void ask(std::vector<std::uint64_t> numbers);

  /// Requires that it was asked for.
  const scenarios::TrueValue& of(std::uint64_t number) const { return known_.at(number); }
  std::uint64_t count() const { return known_.size(); }

 private:
  const Judge& judge_;
  std::unordered_map<std::uint64_t, scenarios::TrueValue> known_;  // never iterated
};

/// Asks `instance`, which must outlive the judge, on up to `threads` threads (0: all cores).
Judge truth_judge(const scenarios::Instance& instance, int threads);

}  // namespace cubicbench::datasets
