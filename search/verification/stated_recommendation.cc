#include "search/verification/stated_recommendation.h"

#include <algorithm>

namespace cubicbench::search {

bool states_recommendation(const SearcherSpec& searcher) {
  return std::ranges::any_of(searcher.options, [](const auto& option) {
    return option.first == "recommend" && option.second != 0.0;
  });
}

}  // namespace cubicbench::search
