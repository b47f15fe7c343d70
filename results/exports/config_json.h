#pragma once

#include <string>

#include "search/journal/journal.h"
#include "support/json/canonical.h"

namespace cubicbench::results {

/// A configuration of a journal, whose values are JSON, as an object.
inline std::string config_json(const search::ConfigText& config) {
  std::string text = "{";
  for (const auto& [name, value] : config) {
    if (text.size() > 1) text += ',';
    text += support::json_string(name) + ":" + value;
  }
  return text + "}";
}

}  // namespace cubicbench::results
