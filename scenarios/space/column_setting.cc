#include "scenarios/space/column_setting.h"

#include <string_view>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::scenarios {
namespace {

/// A setting and what it refers to, in one place that never moves.
struct Column {
  std::string name;
  std::vector<double> numbers{};
  std::vector<std::string> names{};
  std::vector<std::string_view> choices{};
  Setting setting{};
};

std::shared_ptr<const Setting> completed(const std::shared_ptr<Column>& column, SettingKind kind,
                                         std::size_t values) {
  SIM_ASSERT(values > 0, column->name);
  column->setting.name = column->name;
  column->setting.kind = kind;
  column->setting.max = static_cast<std::int64_t>(values) - 1;
  column->setting.choices = column->choices;
  column->setting.numbers = column->numbers;
  return {column, &column->setting};
}

}  // namespace

std::shared_ptr<const Setting> column_setting(std::string name, std::vector<double> numbers) {
  auto column =
      std::make_shared<Column>(Column{.name = std::move(name), .numbers = std::move(numbers)});
  return completed(column, SettingKind::number, column->numbers.size());
}

std::shared_ptr<const Setting> column_setting(std::string name, std::vector<std::string> names) {
  auto column =
      std::make_shared<Column>(Column{.name = std::move(name), .names = std::move(names)});
  column->choices.assign(column->names.begin(), column->names.end());
  return completed(column, SettingKind::choice, column->choices.size());
}

}  // namespace cubicbench::scenarios
