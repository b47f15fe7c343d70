#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "search/launch/plan_facts.h"

namespace cubicbench::search {

/// Text with places for a plan: `{NAME}` of PlanFacts, and `{model}`, the user's name of the model.
class PlanText {
 public:
  /// Throws InputError at `where` for a name that is none, and for a brace without its other.
  static PlanText parse(std::string_view text, const std::string& where);

  std::string filled(const PlanFacts& facts, std::string_view model) const;

 private:
  /// A text and, behind it, a place.
  struct Part {
    std::string before;
    std::size_t slot = 0;  ///< of PlanFacts, or one of the two below
  };
  std::vector<Part> parts_;
};

}  // namespace cubicbench::search
