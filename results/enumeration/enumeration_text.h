#pragma once

#include <string>
#include <vector>

#include "datasets/exhaustive/enumeration.h"

namespace cubicbench::results {

/// How the enumeration was asked for, so that its optimum can be asked for, too.
struct EnumerationAsked {
  std::string scenario;           ///< name or path
  std::vector<std::string> sets;  ///< NAME=VALUE
  std::string salt = {};          ///< the file, of a sealed instance
  bool simulated = true;          ///< can `simulate` be asked for its optimum?
  bool measured = false;          ///< has it no model, but measured runs?
};

/// What `enumerate` and `merge` print for people: who fails and why, what constraints reject, the
/// optimum, the baseline, the distribution and what random search finds.
std::string enumeration_text(const datasets::Enumeration& enumeration,
                             const EnumerationAsked& asked);

}  // namespace cubicbench::results
