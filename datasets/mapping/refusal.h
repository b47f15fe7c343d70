#pragma once

#include <string>
#include <utility>

namespace cubicbench::datasets {

/// Why a row cannot be mapped. Called in a step that answers whether it could be done: `return
/// fail_("tp is missing")`.
struct Refusal {
  std::string reason{};

  bool operator()(std::string why) {
    reason = std::move(why);
    return false;
  }
};

}  // namespace cubicbench::datasets
