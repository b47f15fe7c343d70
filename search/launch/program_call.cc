#include "search/launch/program_call.h"

#include <algorithm>
#include <iterator>

#include "search/launch/python_text.h"
#include "search/launch/setting_effects.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using scenarios::Setting;

std::vector<std::string> filled(const std::vector<PlanText>& texts, const PlanFacts& facts,
                                const std::string& model) {
  std::vector<std::string> words;
  for (const PlanText& text : texts) words.push_back(text.filled(facts, model));
  return words;
}

/// Is the rule about this plan? One about no setting is about all.
bool concerns(const LaunchRule& rule, const PlanFacts& facts) {
  return rule.settings.empty() || std::ranges::any_of(rule.settings, [&](const Setting* setting) {
           return has_effect(*setting, facts);
         });
}

const LaunchCase& case_of(const LaunchRule& rule, const PlanFacts& facts) {
  return *std::ranges::find_if(rule.cases,
                               [&](const LaunchCase& one) { return one.condition.holds(facts); });
}

/// What the launcher's rules say of the plan.
void apply_rules(const Launcher& launcher, const PlanFacts& facts, const std::string& model,
                 ProgramCall& to) {
  for (const LaunchRule& rule : launcher.rules) {
    if (!concerns(rule, facts)) continue;
    const LaunchCase& one = case_of(rule, facts);
    for (const LaunchOption& option : one.options) {
      SpokenOption spoken{.name = option.name, .value = {}};
      if (option.value) spoken.value = option.value->filled(facts, model);
      to.options.push_back(std::move(spoken));
    }
    for (const auto& [setting, why] : one.lacks) {
      if (!has_effect(*setting, facts)) continue;
      const std::size_t slot = scenarios::index_of(*setting);
      to.omitted.push_back({.setting = setting, .value = facts.text(slot), .why = why});
    }
  }
  std::ranges::stable_sort(
      to.omitted, {}, [](const OmittedSetting& one) { return scenarios::index_of(*one.setting); });
}

std::vector<std::string> words_of(OptionForm form, const std::vector<SpokenOption>& options) {
  std::vector<std::string> words;
  for (const SpokenOption& option : options) {
    if (form == OptionForm::pairs) {
      words.push_back(option.name + "=" + option.value.value_or("true"));
      continue;
    }
    words.push_back(option.name);
    if (option.value) words.push_back(*option.value);
  }
  return words;
}

void append_indented(std::string& text, const std::string& indent,
                     const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += indent + line + "\n";
}

std::string file_text(const Launcher& launcher, const PlanFacts& facts, const std::string& model,
                      const ProgramCall& call) {
  std::string text;
  for (const std::string& line : launcher.file->lines) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::string indent = line.substr(0, begin);
    const std::string_view rest = std::string_view(line).substr(begin);
    if (rest == "{options}") {
      append_indented(text, indent, python_lines(launcher.form, call.options));
    } else if (rest == "{omitted}") {
      append_indented(text, indent, {python_omitted(call.omitted)});
    } else {
      text += PlanText::parse(line, launcher.file->name).filled(facts, model) + "\n";
    }
  }
  return text;
}

void append(std::vector<std::string>& to, std::vector<std::string> words) {
  to.insert(to.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
}

}  // namespace

ProgramCall program_call(const Launcher& launcher, const scenarios::Scenario& scenario,
                         const sim::Plan& plan, const std::string& model,
                         const std::string& where) {
  const PlanFacts facts(scenario, plan);
  if (!launcher.trains(facts.kind())) {
    throw support::InputError(where, "expected a program that trains " +
                                         std::string(scenarios::phrase_of(facts.kind())) +
                                         ", got " + support::in_quotes(launcher.name()));
  }
  const std::string& named = model.empty() ? launcher.model : model;
  ProgramCall call;
  apply_rules(launcher, facts, named, call);
  const bool in_file = is_in_file(launcher.form);
  std::vector<std::string> work = filled(launcher.script, facts, named);
  if (!in_file) append(work, words_of(launcher.form, call.options));
  call.start = filled(launcher.start, facts, named);
  call.command = call.start;
  append(call.command, work);
  if (in_file) {
    call.file_name = launcher.file->name;
    call.file_text = file_text(launcher, facts, named, call);
  }
  if (launcher.dry_run) {
    call.dry_run = filled(launcher.dry_run->before, facts, named);
    append(call.dry_run, std::move(work));
    append(call.dry_run, filled(launcher.dry_run->after, facts, named));
  }
  return call;
}

std::vector<std::string> option_words(const Launcher& launcher, const scenarios::Scenario& scenario,
                                      const sim::Plan& plan) {
  const PlanFacts facts(scenario, plan);
  if (!launcher.trains(facts.kind())) return {};
  ProgramCall call;
  apply_rules(launcher, facts, launcher.model, call);
  return words_of(launcher.form, call.options);
}

std::vector<std::string> start_words(const Launcher& launcher, const scenarios::Scenario& scenario,
                                     const sim::Plan& plan) {
  std::vector<std::string> words =
      filled(launcher.start, PlanFacts(scenario, plan), launcher.model);
  words.erase(words.begin());  // the program
  return words;
}

}  // namespace cubicbench::search
