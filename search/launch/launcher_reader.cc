#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "search/launch/launcher.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"
#include "support/suggestion.h"

namespace cubicbench::search {
namespace {

using scenarios::Setting;
using scenarios::WorkloadKind;
using support::ObjectReader;
using support::ValueReader;

constexpr std::array<std::string_view, 1> launcher_schemas{"cubicbench.launcher/1"};
constexpr std::array<std::string_view, 4> form_names{"words", "pairs", "assignments", "keywords"};
constexpr std::array<std::string_view, 3> workload_names{"transformer", "mixture_of_experts",
                                                         "recommendation"};

PlanText text_at(const std::string& text, const std::string& where, ObjectReader& in) {
  return support::gathered(in.problems(), [&] { return PlanText::parse(text, where); });
}

std::vector<PlanText> read_texts(const std::vector<ValueReader>& values, ObjectReader& in) {
  std::vector<PlanText> texts;
  for (const ValueReader& value : values) {
    texts.push_back(text_at(value.string(), value.where(), in));
  }
  return texts;
}

const Setting* setting_called(const std::string& name, const ValueReader& value) {
  const Setting* const setting = scenarios::find_setting(name);
  if (setting == nullptr && value.raw() != nullptr) {
    value.problem("unknown setting \"" + support::shortened(name) + "\"" +
                  support::did_you_mean(name, scenarios::setting_names()));
  }
  return setting;
}

std::vector<LaunchOption> read_options(ObjectReader& in) {
  std::vector<LaunchOption> options;
  auto members = in.optional_object("options");
  if (!members) return options;
  for (const std::string& name : members->keys()) {
    LaunchOption option{.name = name, .value = {}};
    if (members->has(name)) {
      option.value = text_at(members->string(name), members->where(name), in);
    } else {
      members->allow(name);  // a flag
    }
    options.push_back(std::move(option));
  }
  members->finish("option");
  return options;
}

void read_lacks(ObjectReader& in, const LaunchRule& rule, LaunchCase& to) {
  auto members = in.optional_object("lacks");
  if (!members) return;
  for (const std::string& name : members->keys()) {
    const Setting* const setting = scenarios::find_setting(name);
    if (std::ranges::find(rule.settings, setting) == rule.settings.end()) {
      members->problem(name, "expected a setting of this rule");
    }
    to.lacks.emplace_back(setting, support::filled_string(*members, name, "a reason"));
  }
  members->finish("setting");
}

LaunchCase read_case(const ValueReader& value, const LaunchRule& rule) {
  ObjectReader in = value.object();
  LaunchCase one;
  one.condition = read_plan_condition(in);
  one.options = read_options(in);
  read_lacks(in, rule, one);
  one.implied = in.string("implied", "");
  if (one.options.empty() && one.lacks.empty() && one.implied.empty()) {
    value.problem("expected options, lacks or implied, got none of them");
  }
  in.finish();
  return one;
}

LaunchRule read_rule(const ValueReader& value) {
  ObjectReader in = value.object();
  LaunchRule rule;
  for (const ValueReader& name : in.array("settings")) {
    if (const Setting* const setting = setting_called(name.string(), name)) {
      rule.settings.push_back(setting);
    }
  }
  for (const ValueReader& one : in.array("cases")) rule.cases.push_back(read_case(one, rule));
  if (rule.cases.empty() || !rule.cases.back().condition.is_always()) {
    in.problem("cases", "expected the last one to hold always");
  }
  in.finish();
  return rule;
}

LauncherFile read_file(ObjectReader& in) {
  LauncherFile file;
  file.name = support::filled_string(in, "name", "a name");
  for (const ValueReader& line : in.array("lines")) file.lines.push_back(line.string());
  in.finish();
  return file;
}

DryRun read_dry_run(ObjectReader& in) {
  DryRun run;
  run.module = support::filled_string(in, "module", "a module");
  run.before = read_texts(in.array("before"), in);
  run.after = read_texts(in.array("after"), in);
  in.finish();
  return run;
}

std::vector<WorkloadKind> read_workloads(ObjectReader& in) {
  std::vector<WorkloadKind> kinds;
  for (const ValueReader& value : in.array("workloads")) {
    kinds.push_back(static_cast<WorkloadKind>(value.one_of(workload_names)));
  }
  return kinds;
}

/// Nothing is dropped silently: each setting that a plan of its workloads has is in a rule.
void check_settings(ObjectReader& in, const Launcher& launcher) {
  for (const Setting& setting : scenarios::settings()) {
    const bool wanted = std::ranges::any_of(
        launcher.workloads, [&](WorkloadKind kind) { return scenarios::belongs(setting, kind); });
    const bool known = std::ranges::any_of(launcher.rules, [&](const LaunchRule& rule) {
      return std::ranges::find(rule.settings, &setting) != rule.settings.end();
    });
    if (wanted && !known) {
      in.problem("rules", "expected one about " + std::string(setting.name) + ", got none");
    }
  }
}

void read_parts(ObjectReader& in, Launcher& to) {
  to.start = read_texts(in.array("start"), in);
  to.script = read_texts(in.array("script"), in);
  for (const ValueReader& rule : in.array("rules")) to.rules.push_back(read_rule(rule));
  if (auto file = in.optional_object("file")) to.file = read_file(*file);
  if (auto run = in.optional_object("dry_run")) to.dry_run = read_dry_run(*run);
  if (is_in_file(to.form) != to.file.has_value()) {
    in.problem("file", "expected one where options are assignments or keywords, and no other");
  }
}

}  // namespace

Launcher read_launcher(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", launcher_schemas);
  Launcher launcher;
  launcher.program = support::filled_string(in, "program", "a program");
  launcher.version = support::filled_string(in, "version", "a version");
  launcher.source = support::filled_string(in, "source", "a source");
  launcher.workloads = read_workloads(in);
  launcher.form = static_cast<OptionForm>(in.one_of("form", form_names));
  launcher.model = support::filled_string(in, "model", "what stands for a model");
  launcher.model_help = support::filled_string(in, "model_help", "what a model is named by");
  read_parts(in, launcher);
  check_settings(in, launcher);
  in.finish();
  support::throw_if_any(problems);
  return launcher;
}

}  // namespace cubicbench::search
