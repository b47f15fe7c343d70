#include "search/launch/launcher.h"

#include <algorithm>

#include "search/embedded.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::search {

bool Launcher::trains(scenarios::WorkloadKind kind) const {
  return std::ranges::find(workloads, kind) != workloads.end();
}

std::span<const Launcher> launchers() {
  static const std::vector<Launcher> all = [] {
    std::vector<Launcher> list;
    for (const support::EmbeddedFile& file : embedded_files()) {
      if (!file.path.starts_with("launchers/")) continue;
      list.push_back(read_launcher(file.text, "search/" + std::string(file.path)));
    }
    std::ranges::sort(list, {}, &Launcher::name);
    return list;
  }();
  return all;
}

const Launcher& find_launcher(std::string_view name, const std::string& where) {
  std::vector<std::string> names;
  for (const Launcher& launcher : launchers()) {
    names.push_back(launcher.name());
    if (names.back() == name) return launcher;
  }
  throw support::InputError(where, "expected one of " + support::joined(names, ", ") + ", got " +
                                       support::in_quotes(support::shortened(name)) +
                                       support::did_you_mean(name, names));
}

}  // namespace cubicbench::search
