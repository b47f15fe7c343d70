#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/space/setting.h"
#include "search/launch/plan_condition.h"
#include "search/launch/plan_text.h"

namespace cubicbench::search {

/// How a program takes its options.
enum class OptionForm {
  words,        ///< `--name value` in the command
  pairs,        ///< `name=value` in the command
  assignments,  ///< `config.name = value` in a Python file
  keywords,     ///< `callee = dict(name=value)` in a Python file, of an option `callee.name`
};
constexpr bool is_in_file(OptionForm form) { return form >= OptionForm::assignments; }

/// One option of a program with its value; without one, a flag.
struct LaunchOption {
  std::string name;
  std::optional<PlanText> value;
};

/// What a program has for some settings of the plans that meet a condition.
struct LaunchCase {
  PlanCondition condition;
  std::vector<LaunchOption> options;
  /// Settings that it does not have, and why.
  std::vector<std::pair<const scenarios::Setting*, std::string>> lacks;
  std::string implied;  ///< why it does what the plan says without an option; "" where it does not
};

/// The first case whose condition holds counts; the last one always does.
struct LaunchRule {
  std::vector<const scenarios::Setting*> settings;  ///< none: of every plan
  std::vector<LaunchCase> cases;
};

/// A file that a program reads the plan from.
struct LauncherFile {
  std::string name;
  /// The line `{options}` stands for all options, `{omitted}` for what the program lacks, each
  /// indented as it is.
  std::vector<std::string> lines;
};

/// A program's own way to check a plan without the cluster.
struct DryRun {
  std::string module;  ///< of Python: the program is installed where it is found
  std::vector<PlanText> before;
  std::vector<PlanText> after;  ///< the script and its options
};

/// How one version of a program is started with a plan: the content of a file of
/// search/launchers/.
struct Launcher {
  std::string program;
  std::string version;
  std::string source;  ///< which release, tag or commit has these options
  std::vector<scenarios::WorkloadKind> workloads;
  OptionForm form = OptionForm::words;
  std::string model;                 ///< stands for the model where the user names none
  std::string model_help;            ///< what to name there
  std::vector<PlanText> start;       ///< what starts the processes: the first word is a program
  std::vector<PlanText> script;      ///< what each of them runs
  std::vector<LaunchRule> rules;     ///< in the order of their options
  std::optional<LauncherFile> file;  ///< of forms that are in one
  std::optional<DryRun> dry_run;

  std::string name() const { return program + "@" + version; }
  bool trains(scenarios::WorkloadKind kind) const;
};

/// All that ship, ordered by their names. They live as long as the program.
std::span<const Launcher> launchers();

/// The one called PROGRAM@VERSION. Throws InputError at `where` with those there are.
const Launcher& find_launcher(std::string_view name, const std::string& where);

/// Reads a launcher from the text of a file. Throws InputError with everything that is wrong, such
/// as a setting of its workloads that no rule is about.
Launcher read_launcher(std::string_view text, const std::string& file);

}  // namespace cubicbench::search
