#include "scenarios/family/member_name.h"

#include <optional>

#include "scenarios/catalog.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::scenarios {
namespace {

/// Only digits: no sign, no white space.
std::optional<std::uint64_t> number_of(std::string_view text) {
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return support::parsed<std::uint64_t>(text);
}

}  // namespace

bool is_member_name(std::string_view name) {
  const std::size_t at = name.rfind('@');
  if (at == std::string_view::npos) return false;
  return !is_path(name) || number_of(name.substr(at + 1)).has_value();
}

MemberName parse_member_name(const std::string& name) {
  const std::size_t at = name.rfind('@');
  const auto number = number_of(std::string_view(name).substr(at + 1));
  if (at == 0 || !number) {
    throw support::InputError(support::shortened(name),
                              "expected FAMILY@K with an integer K >= 0, as in dense-small@3");
  }
  return {.family = name.substr(0, at), .number = *number};
}

}  // namespace cubicbench::scenarios
