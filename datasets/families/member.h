#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "datasets/families/acceptance.h"
#include "scenarios/family/family.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/problem/seal.h"

namespace cubicbench::datasets {

/// A member of a family: the first draw of its own stream that is not refused.
struct Member {
  std::uint64_t number = 0;
  std::uint64_t attempt = 0;  ///< which draw it is: as many were refused
  std::array<std::int64_t, refusal_names.size()> refused{};  ///< draws by Refusal
  std::vector<scenarios::Assignment> baseline;
  MemberProperties properties;
  scenarios::Document document;  ///< the whole scenario
};

/// A member with what its acceptance learnt on the way.
struct MadeMember {
  Member member;
  scenarios::Scenario scenario;
  JudgedDraw judged;
};

/// Draws until a draw is accepted, which takes about a second a draw: a pure function of family,
/// number and salt (`seal`; null for the members that everybody may know). Throws InputError where
/// the family is wrong, or a thousand draws are refused.
MadeMember made_member(const scenarios::Family& family, std::uint64_t number,
                       const scenarios::Seal* seal, int threads);

/// The member again, of which attempt and baseline are known.
scenarios::Document member_document(const scenarios::Family& family, std::uint64_t number,
                                    std::uint64_t attempt,
                                    const std::vector<scenarios::Assignment>& baseline);

/// The scenario that `name` asks for ("dense-small@3"), from the record that ships where it has
/// the member, and made anew, with the same answer, where it has not. A sealed one is never in a
/// record. Throws InputError. Requires scenarios::is_member_name(name).
scenarios::Scenario read_member(const std::string& name, std::span<const std::string> sets,
                                const std::shared_ptr<const scenarios::Seal>& seal);

}  // namespace cubicbench::datasets
