#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cubicbench::scenarios {

/// "dense-small@3": member 3 of the family of that name, or of the file at that path.
struct MemberName {
  std::string family;
  std::uint64_t number = 0;
};

/// Does `name` ask for a member of a family? A path does where '@' and digits end it.
bool is_member_name(std::string_view name);

/// Does a salt seal this instance of the scenario? Of a member of a family the problem itself is
/// drawn from the salt, of other scenarios the constants of instances from 1 on.
inline bool salt_seals(std::string_view scenario, std::int64_t instance) {
  return instance > 0 || is_member_name(scenario);
}

/// Throws InputError at `name`. Requires is_member_name(name).
MemberName parse_member_name(const std::string& name);

}  // namespace cubicbench::scenarios
