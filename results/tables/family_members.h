#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "datasets/families/member.h"
#include "datasets/families/transfer.h"
#include "results/document/document.h"
#include "scenarios/family/family.h"

namespace cubicbench::results {

/// Members of a family that were made, and what was asked of them together.
struct FamilyMembers {
  scenarios::Family family;
  std::vector<datasets::MadeMember> members;
  std::optional<datasets::Transfer> transfer{};
};

/// What `family` says: a row a member, how many draws were refused and why.
Document family_document(const FamilyMembers& of);

/// The document of `family --json` (docs/families.md).
nlohmann::ordered_json family_json(const FamilyMembers& of);

}  // namespace cubicbench::results
