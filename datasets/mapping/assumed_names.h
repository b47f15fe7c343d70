#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cubicbench::datasets {

/// Names of what was filled in, each once, in the order of first use.
class AssumedNames {
 public:
  void add(std::string_view name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.emplace_back(name);
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

}  // namespace cubicbench::datasets
