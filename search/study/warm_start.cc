#include "search/study/warm_start.h"

#include <algorithm>

namespace cubicbench::search {

std::shared_ptr<const WarmStart> WarmStarts::of(std::string_view scenario,
                                                std::int64_t instance) const {
  std::shared_ptr<const WarmStart> nominal;
  for (const auto& one : problems) {
    if (one->scenario != scenario) continue;
    if (one->instance == instance) return one;
    if (one->instance == 0) nominal = one;
  }
  return nominal;
}

bool WarmStarts::operator==(const WarmStarts& other) const {
  const auto same = [](const auto& a, const auto& b) {
    return a->scenario == b->scenario && a->instance == b->instance && a->sha256 == b->sha256;
  };
  return from == other.from && std::ranges::equal(problems, other.problems, same);
}

}  // namespace cubicbench::search
