#include "datasets/exhaustive/open_parts.h"

#include <algorithm>
#include <utility>

#include "datasets/exhaustive/best_found.h"

namespace cubicbench::datasets {

bool OpenParts::later(const OpenPart& a, const OpenPart& b) const {
  if (a.bound != b.bound) return is_better(b.bound, a.bound, direction_);
  return a.made < b.made;
}

void OpenParts::push(OpenPart part) {
  part.made = made_++;
  heap_.push_back(std::move(part));
  std::push_heap(heap_.begin(), heap_.end(),
                 [this](const OpenPart& a, const OpenPart& b) { return later(a, b); });
}

OpenPart OpenParts::pop() {
  std::pop_heap(heap_.begin(), heap_.end(),
                [this](const OpenPart& a, const OpenPart& b) { return later(a, b); });
  OpenPart part = std::move(heap_.back());
  heap_.pop_back();
  return part;
}

}  // namespace cubicbench::datasets
