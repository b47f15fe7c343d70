#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "support/joined.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr std::string_view between = "\n%%\n";

}  // namespace

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets{
      answer_target(),      client_target(),       command_target(),  conditions_target(),
      enumeration_target(), journal_target(),      json_target(),     logs_target(),
      mcp_target(),         measurements_target(), override_target(), plan_target(),
      requirement_target(), scenario_target(),     serve_target(),    table_target()};
  return targets;
}

const Target& target_named(std::string_view name) {
  const auto found = std::ranges::find(all_targets(), name, &Target::name);
  if (found != all_targets().end()) return *found;
  std::cerr << "no target of this name: " << name << "; there are";
  for (const Target& target : all_targets()) std::cerr << ' ' << target.name;
  std::cerr << '\n';
  std::exit(2);
}

Parts split(const Target& target, std::string_view input) {
  Parts parts;
  while (parts.size() + 1 < target.forms.size()) {
    const std::size_t end = std::min(input.find(between), input.size());
    parts.emplace_back(input.substr(0, end));
    input.remove_prefix(std::min(end + between.size(), input.size()));
  }
  parts.emplace_back(input);
  return parts;
}

std::string joined(const Parts& parts) { return support::joined(parts, between); }

void broken(std::string_view what) {
  std::cerr << "broken: " << what << std::endl;
  std::abort();
}

}  // namespace cubicbench::fuzz
