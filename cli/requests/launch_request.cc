#include "cli/requests/launch_request.h"

#include <string_view>

#include "cli/options/readers.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::cli {
namespace {

using search::Launcher;

/// The launchers that have `part`, as a message lists them.
template <class Part>
std::string those_with(Part part) {
  std::vector<std::string> names;
  for (const Launcher& launcher : search::launchers()) {
    if (launcher.*part) names.push_back(launcher.name());
  }
  return support::joined(names, ", ");
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const Launcher& launcher : search::launchers()) names.push_back(launcher.name());
  return names;
}

/// Throws InputError where the program was read and has no such part.
template <class Part>
void require_part(const LaunchRequest& asked, Part part, const std::string& option,
                  std::string_view what) {
  if (asked.launcher == nullptr || asked.launcher->*part) return;
  throw support::InputError(option, "expected a program with " + std::string(what) + " (" +
                                        those_with(part) + "), got " +
                                        in_quotes(asked.launcher->name()));
}

}  // namespace

void declare_launch(Options& options, LaunchRequest& asked) {
  declare_scenario(options, asked.scenario);
  declare_set(options, "a setting", asked.sets);
  options
      .value("--for", "PROGRAM@VERSION",
             "What is to run it, one of\n" + support::joined(program_names(), ",\n"),
             asked.launcher,
             [](const std::string& text, const std::string& where) {
               return &search::find_launcher(text, where);
             })
      .offers(program_names())
      .required("expected PROGRAM@VERSION, as in --for torchtitan@0.2.2");
  options.value("--model", "NAME",
                "What names the model to the program: a configuration\nfile, a script, a recipe "
                "or a function",
                asked.model, Filled{"NAME"});
  options
      .value("--out", "FILE.py", "Write the file of the plan, for programs that read one",
             asked.out, Filled{"FILE.py"})
      .check([&asked] {
        if (asked.out) require_part(asked, &Launcher::file, "--out", "a file of the plan");
      })
      .writes(Output::file);
  options
      .flag("--dry-run",
            "Let the program check the plan without the cluster,\nwhere it is installed",
            asked.dry_run)
      .check([&asked] {
        if (asked.dry_run) {
          require_part(asked, &Launcher::dry_run, "--dry-run", "a dry run of its own");
        }
      });
}

}  // namespace cubicbench::cli
