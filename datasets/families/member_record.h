#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "datasets/families/member.h"

namespace cubicbench::datasets {

/// The file of members 0, 1, ... of a family: which draws they are and the baselines that were
/// found, which takes long and depends on the simulator.
nlohmann::ordered_json member_record_json(const scenarios::Family& family,
                                          const std::vector<Member>& members);

/// Member `number` as the record that ships has it, its document included; nothing where there is
/// no record, where it is of another version of the family, or where it has fewer members.
std::optional<Member> recorded_member(const scenarios::Family& family, std::uint64_t number);

/// How many members the record that ships has; 0 where there is none of this version.
std::uint64_t recorded_members(const scenarios::Family& family);

}  // namespace cubicbench::datasets
