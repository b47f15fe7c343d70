#include "datasets/exhaustive/best_found.h"

#include <algorithm>

namespace cubicbench::datasets {

void BestFound::add(const BestFound& other, scenarios::Direction direction) {
  if (other.count == 0 || (count > 0 && is_better(value, other.value, direction))) return;
  if (count == 0 || other.value != value) {
    *this = other;
    return;
  }
  count += other.count;
  for (const std::uint64_t number : other.numbers) list(number);
}

void BestFound::list(std::uint64_t number) {
  numbers.insert(std::upper_bound(numbers.begin(), numbers.end(), number), number);
  if (numbers.size() > optima_listed_max) numbers.pop_back();
}

}  // namespace cubicbench::datasets
