#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
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
  /// Stores `value` of a column in `member`: what the row has `stated`, or what was found for it
  /// and is assumed. Returns why it cannot, "" where it can.
  std::string store(std::string_view column, bool stated, std::optional<std::int64_t> value,
                    std::int64_t& member) {
    constexpr std::int64_t count_max = 1'000'000'000;
    if (!value) return std::string(column) + " is empty and no default fills it";
    if (*value < 1) return std::string(column) + " is not above zero";
    if (*value > count_max) return std::string(column) + " is above 10^9";
    if (!stated) add(column);
    member = *value;
    return "";
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

}  // namespace cubicbench::datasets
