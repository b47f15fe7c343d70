#include "results/study_commands.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "search/backend_factory.h"

namespace cubicbench::results {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_./:=,+@%").find(c) != std::string_view::npos;
}

/// What one command asks of each of its scenarios.
struct Asked {
  std::set<std::string> searchers;
  std::int64_t seeds = 0;
  std::int64_t instances = 0;
};

template <typename Items>
std::string joined(const Items& items, const char* separator) {
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : separator) + item;
  }
  return text;
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string simulate_command(const StudyResult& study,
                             std::span<const std::pair<std::string, std::string>> config,
                             std::span<const std::pair<std::string, std::string>> baseline) {
  std::string command = "cubicbench simulate " + shell_word(study.scenario);
  if (study.instance != 0) {
    command += " --instance " + std::to_string(study.instance);
  }
  for (const auto& setting : config) {
    if (std::find(baseline.begin(), baseline.end(), setting) == baseline.end()) {
      command += " --set " + shell_word(setting.first + "=" + setting.second);
    }
  }
  return command;
}

std::vector<std::string> search_commands(const StudySet& set) {
  using Kind = std::tuple<std::string, std::int64_t, std::int64_t, std::string, std::string>;
  std::map<Kind, Asked> kinds;
  for (const StudyResult& study : set.studies) {
    Asked& asked = kinds[{study.scenario, study.trials, study.slots, study.telling, study.backend}];
    asked.searchers.insert(study.searcher);
    asked.seeds = std::max(asked.seeds, study.seed + 1);
    asked.instances = std::max(asked.instances, study.instance + 1);
  }
  std::vector<std::string> commands;
  for (const auto& [kind, asked] : kinds) {
    const auto& [scenario, trials, slots, telling, backend] = kind;
    std::string command = "cubicbench search " + shell_word(scenario) + " --searcher " +
                          shell_word(joined(asked.searchers, ",")) + " --trials " +
                          std::to_string(trials) + " --seeds " + std::to_string(asked.seeds);
    if (asked.instances > 1) command += " --instances " + std::to_string(asked.instances);
    if (slots > 1) command += " --slots " + std::to_string(slots);
    if (telling != "reason" && !telling.empty()) command += " --telling " + shell_word(telling);
    if (search::is_hashed_backend(backend)) {
      command += " --backend command:CMD";
    } else if (backend != "simulator" && !backend.empty()) {
      command += " --backend " + shell_word(backend);
    }
    const std::string folder =
        kinds.size() == 1 ? "DIR" : "DIR" + std::to_string(commands.size() + 1);
    commands.push_back(command + " --out " + folder);
  }
  return commands;
}

}  // namespace cubicbench::results
