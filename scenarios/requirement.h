#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cubicbench::scenarios {

/// A condition on a document: the constraint language with decimals, names of its first level, and
/// quoted dotted paths into it, as in "sources.vtrain.p90_abs_rel_error" <= 0.15
/// [contracts.md, section 3]. A path that leads nowhere, or to null, makes the condition false.
class Requirement {
 public:
  /// Throws ConstraintError.
  static Requirement parse(std::string_view text);

  bool holds(const nlohmann::ordered_json& document) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace cubicbench::scenarios
