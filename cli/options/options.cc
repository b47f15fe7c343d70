#include "cli/options/options.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>

namespace cubicbench::cli {
namespace {

/// What the world has against an output; said where all that was typed is right.
using Unwritable = std::optional<support::OutputError>;

/// What is wrong with an option that was read.
Problems looked_at(const Option& option, const Values& typed, Unwritable& unwritable) {
  const bool is_wanted = !option.wanted.text.empty() && (!option.is_wanted || option.is_wanted());
  if (is_wanted && !option.given) return {option.wanted};
  Problems problems;
  for (const std::function<void()>& look : option.checks) gathered(problems, look);
  if (!option.given || !option.output || !problems.empty()) return problems;
  try {
    gathered(problems, [&] { look_at_output(option.output(), typed.front(), option.name); });
  } catch (const support::OutputError& error) {
    if (!unwritable) unwritable = error;
  }
  return problems;
}

}  // namespace

const std::string& only(const Values& values, const std::string& name) {
  if (values.size() == 1) return values.front();
  throw support::InputError(name, "given " + std::to_string(values.size()) + " times");
}

Option& Option::required() {
  is_required = true;
  return *this;
}

Option& Option::hidden() {
  is_hidden = true;
  return *this;
}

Option& Option::in_turn(int place) {
  turn = place;
  return *this;
}

Option& Option::listed() {
  takes_list = true;
  return *this;
}

Option& Option::required(std::string problem, std::function<bool()> when, std::string where) {
  wanted = {.where = where.empty() ? name : std::move(where), .text = std::move(problem)};
  is_wanted = std::move(when);
  return *this;
}

Option& Option::check(std::function<void()> look) {
  checks.push_back(std::move(look));
  return *this;
}

Option& Option::writes(Output what) {
  return writes([what] { return what; });
}

Option& Option::writes(std::function<Output()> what) {
  output = std::move(what);
  return *this;
}

Option& Options::add(Option option) {
  options_.push_back(std::move(option));
  return options_.back();
}

Option& Options::flag(std::string name, std::string help, bool& field) {
  return add({.form = Option::Form::flag,
              .name = std::move(name),
              .help = std::move(help),
              .read = [&field](const Values&) { field = true; }});
}

bool Options::given(const std::string& name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  return found != options_.end() && found->given;
}

void Options::fill(const std::vector<Values>& typed) {
  std::vector<std::size_t> order(options_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return options_[i].turn; });
  std::vector<Problems> found(options_.size());
  for (const std::size_t i : order) {
    options_[i].given = !typed[i].empty();
    if (options_[i].given) gathered(found[i], [&] { options_[i].read(typed[i]); });
  }
  if (first_) first_(*this);
  std::map<int, Problems> by_turn;
  Unwritable unwritable;
  for (const std::size_t i : order) {
    const Problems more =
        found[i].empty() ? looked_at(options_[i], typed[i], unwritable) : found[i];
    Problems& problems = by_turn[options_[i].turn];
    problems.insert(problems.end(), more.begin(), more.end());
  }
  for (const auto& [turn, look] : checks_) gathered(by_turn[turn], look);
  Problems all;
  for (const auto& [turn, problems] : by_turn) {
    all.insert(all.end(), problems.begin(), problems.end());
  }
  support::throw_if_any(all);
  if (unwritable) throw support::OutputError(*unwritable);
}

Values Options::words_of(const Values& values) {
  Values words;
  for (const std::string& value : values) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      words.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

}  // namespace cubicbench::cli
