#include "cli/options/column_option.h"

#include <algorithm>

#include "datasets/catalog/measured_catalog.h"
#include "results/studies/study_commands.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

constexpr const char* option_name = "--column";
constexpr int before_files = -1;

}  // namespace

Option& declare_columns(Options& options, std::vector<datasets::GivenColumn>& columns) {
  return options
      .values(option_name, "NAME=VALUE",
              "A column that logs do not state, such as\ndevice=h100-sxm-80gb; may be repeated "
              "(docs/logs.md)",
              columns, datasets::parse_given_column)
      .in_turn(before_files);
}

void require_log(const std::vector<datasets::GivenColumn>& columns,
                 const std::vector<std::string>& names) {
  if (columns.empty() || std::ranges::any_of(names, datasets::names_logs)) return;
  throw support::InputError(option_name, "expected with a log, got tables only");
}

std::string column_words(const std::vector<datasets::GivenColumn>& columns) {
  std::string words;
  for (const datasets::GivenColumn& one : columns) {
    words += " " + std::string(option_name) + " " + results::shell_word(one.name + "=" + one.value);
  }
  return words;
}

}  // namespace cubicbench::cli
