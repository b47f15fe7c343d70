#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// A text column of a run holds one of these texts at the start of a word, whatever the case.
struct PartCondition {
  std::string column;
  std::vector<std::string> texts;  ///< in lower case
};

/// All of its conditions hold.
using PartRule = std::vector<PartCondition>;

/// Measured runs that belong together across files and families. Rules, never names of rows: rows
/// that are added later fall where the others of their source are.
struct NamedPart {
  enum class Experts { any, dense, mixture };

  std::string name;
  Experts experts = Experts::any;
  std::vector<PartRule> match;   ///< one of them holds; empty: all runs
  std::vector<PartRule> except;  ///< none of them holds
};

/// Reads the JSON file of parts, schema `cubicbench.parts/1`. Every part needs a reason. Throws
/// InputError with every problem.
std::vector<NamedPart> read_named_parts(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/parts.json), read once.
const std::vector<NamedPart>& named_parts();

/// Names of the parts that a run belongs to, in their order. `has_experts`: its layers choose among
/// experts, which not every source says in a column.
std::vector<std::string> parts_of(const Measurement& row, bool has_experts,
                                  const std::vector<NamedPart>& parts = named_parts());

}  // namespace cubicbench::datasets
