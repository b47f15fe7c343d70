#include "search/launch/python_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "support/joined.h"

namespace cubicbench::search {
namespace {

/// What is called, and its keywords.
struct Callee {
  std::string name;
  std::vector<std::string> keywords;
};

std::vector<std::string> keyword_lines(std::span<const SpokenOption> options) {
  std::vector<Callee> callees;
  for (const SpokenOption& option : options) {
    const std::size_t dot = option.name.find('.');
    const std::string name = option.name.substr(0, dot);
    auto known = std::ranges::find(callees, name, &Callee::name);
    if (known == callees.end()) known = callees.insert(known, {.name = name, .keywords = {}});
    known->keywords.push_back(option.name.substr(dot + 1) + "=" + option.value.value_or("True"));
  }
  std::vector<std::string> lines;
  for (const Callee& callee : callees) {
    lines.push_back(callee.name + " = dict(" + support::joined(callee.keywords, ", ") + ")");
  }
  return lines;
}

std::string literal(const OmittedSetting& one) {
  if (one.value == "true") return "True";
  if (one.value == "false") return "False";
  const bool is_name = one.setting->kind == scenarios::SettingKind::choice;
  return is_name ? "\"" + one.value + "\"" : one.value;
}

}  // namespace

std::vector<std::string> python_lines(OptionForm form, std::span<const SpokenOption> options) {
  if (form == OptionForm::keywords) return keyword_lines(options);
  std::vector<std::string> lines;
  for (const SpokenOption& option : options) {
    lines.push_back("config." + option.name + " = " + option.value.value_or("True"));
  }
  return lines;
}

std::string python_omitted(std::span<const OmittedSetting> omitted) {
  std::vector<std::string> keywords;
  for (const OmittedSetting& one : omitted) {
    std::string keyword = std::string(one.setting->name) + "=" + literal(one);
    if (std::ranges::find(keywords, keyword) == keywords.end()) keywords.push_back(keyword);
  }
  return "omitted = dict(" + support::joined(keywords, ", ") + ")";
}

}  // namespace cubicbench::search
