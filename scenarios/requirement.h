#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/space/condition_tree.h"

namespace cubicbench::scenarios {

/// A condition on a document: the constraint language with decimals, bare names, and quoted dotted
/// paths, as in "sources.vtrain.p90_abs_rel_error" <= 0.15 [docs/reference/constraint-language.md].
///
/// A path leads from key to key; a key may hold dots and spaces itself: of the keys that fit the
/// longest counts. Numbers lead into arrays, from 0. A bare name is a path of one key. Paths start
/// at the document, or else at its "summary". true is 1 and false is 0. A path that leads nowhere,
/// to null, or to what is no number makes the condition false, under `not` too, unless `and` or
/// `or` never ask for it; so does a division by zero. / does not round, unlike in a constraint; %
/// has the divisor's sign.
class Requirement {
 public:
  /// Throws ConstraintError.
  static Requirement parse(std::string_view text);

  bool holds(const nlohmann::ordered_json& document) const;

  /// What its paths lead to: `coverage is 0.87; "sources.x.bias" is not there`. "" without paths.
  std::string values_text(const nlohmann::ordered_json& document) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<ConditionNode> nodes_;  ///< values are positions in the lists below
  std::vector<double> numbers_;
  std::vector<std::string> paths_;  ///< each once, in order of first use
  std::vector<std::string> shown_;  ///< the same as they were written, quotes included
};

}  // namespace cubicbench::scenarios
