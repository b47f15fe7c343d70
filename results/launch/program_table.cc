#include "results/launch/program_table.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "search/launch/launcher.h"

namespace cubicbench::results {
namespace {

using scenarios::Setting;
using search::LaunchCase;
using search::Launcher;
using search::LaunchRule;

bool is_about(const LaunchRule& rule, const Setting& setting) {
  return std::ranges::find(rule.settings, &setting) != rule.settings.end();
}

bool lacks(const LaunchCase& one, const Setting& setting) {
  return std::ranges::any_of(one.lacks, [&](const auto& lack) { return lack.first == &setting; });
}

/// Which values of the setting a case is for. Every value where it becomes an option; of a
/// constraint on it, one that is not known; none where the case does not look at it.
std::set<std::int64_t> values_of(const LaunchCase& one, const Setting& setting) {
  if (!one.options.empty() && one.condition.when.empty()) return {0, 1};
  std::set<std::int64_t> values;
  for (const search::PlanCondition::OneOf& part : one.condition.when) {
    if (part.setting == &setting) values.insert(part.codes.begin(), part.codes.end());
  }
  if (!values.empty()) return values;
  if (!one.options.empty()) return {0, 1};
  constexpr std::int64_t unknown = -1;
  const auto& require = one.condition.require;
  const bool reads =
      require && std::ranges::binary_search(require->slots_read(), scenarios::index_of(setting));
  return reads ? std::set{unknown} : std::set<std::int64_t>{};
}

std::string has_text(const Launcher& launcher, const Setting& setting) {
  const auto rule = std::ranges::find_if(
      launcher.rules, [&](const LaunchRule& one) { return is_about(one, setting); });
  if (rule == launcher.rules.end()) return "";
  bool lacking = false;
  std::set<std::int64_t> values;
  for (const LaunchCase& one : rule->cases) {
    const bool lacks_it = lacks(one, setting);
    lacking = lacking || lacks_it;
    if (!lacks_it) values.merge(values_of(one, setting));
  }
  return !lacking ? "yes" : values.size() > 1 ? "in part" : "no";
}

}  // namespace

Table program_table() {
  Table table{.columns = {{.key = "setting", .heading = "SETTING"}}};
  for (const Launcher& launcher : search::launchers()) {
    table.columns.push_back({.key = launcher.name(), .heading = launcher.name()});
  }
  for (const Setting& setting : scenarios::settings()) {
    std::vector<Cell> row{std::string(setting.name)};
    for (const Launcher& launcher : search::launchers()) {
      row.emplace_back(has_text(launcher, setting));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace cubicbench::results
