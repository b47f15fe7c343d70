#include "results/studies/study_commands.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "search/backends/backend_factory.h"
#include "search/searchers/registry.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

/// The --trials that all scenarios of a search have in common; nothing where each has its own.
std::optional<std::int64_t> trials_of(const search::AskedSearch& asked) {
  if (asked.scenarios.empty()) return std::nullopt;
  const std::int64_t trials = asked.scenarios.front().trials;
  const bool equal = std::ranges::all_of(
      asked.scenarios, [&](const auto& scenario) { return scenario.trials == trials; });
  return equal ? std::optional(trials) : std::nullopt;
}

/// As they are typed: of a command with an absolute path only the hash is known.
std::string searchers_text(const search::AskedSearch& asked) {
  return support::joined(asked.searchers, ",", [](const std::string& searcher) {
    return searcher.starts_with("external-sha256:") ? std::string("external:CMD") : searcher;
  });
}

/// As they are typed: of a command with a path only the hash is known.
std::string backend_text(const search::AskedSearch& asked) {
  if (!search::is_hashed_backend(asked.backend)) return asked.backend;
  if (search::plays_search(asked.backend)) return "recorded:DIR";
  return asked.backend.starts_with("slurm") ? "slurm:TEMPLATE" : "command:CMD";
}

/// Of a search whose studies a program or an agent drove. `serve` has one study a scenario: of
/// more, which a program in Python can drive, there is no command.
std::optional<std::string> serve_command(const search::AskedSearch& asked,
                                         const std::string& folder) {
  if (asked.seeds != 1 || asked.instances != 1 || asked.slots != 1 || !is_whole(asked.shard)) {
    return std::nullopt;
  }
  // One study is the same by either protocol; the name tells which one was spoken by default.
  const std::string& driver = asked.searchers.front();
  const bool mcp = asked.scenarios.size() > 1 || driver == "agent";
  std::string command = "cubicbench serve";
  for (const search::AskedScenario& scenario : asked.scenarios) {
    command += " " + shell_word(scenario.name);
  }
  if (mcp) command += " --mcp";
  const auto option = [&](const char* name, const std::string& value, const std::string& usual) {
    if (value != usual) command += std::string(" --") + name + " " + shell_word(value);
  };
  const auto trials = trials_of(asked);
  if (trials) option("trials", std::to_string(*trials), "");
  option("seed", std::to_string(asked.first_seed), "");
  option("instance", std::to_string(asked.first_instance), "0");
  option("salt", asked.salt_sha256.empty() ? "" : "SALT", "");
  option("telling", asked.telling, "reason");
  option("backend", backend_text(asked), "simulator");
  option("start", asked.start, "baseline");
  if (asked.permute) command += " --permute";
  option("as", driver, mcp ? "agent" : "client");
  option("out", folder, "");
  return command;
}

/// Nothing where no command makes these studies.
std::optional<std::string> search_command(const search::AskedSearch& asked,
                                          const std::string& folder) {
  if (asked.searchers.size() == 1 && search::is_outside_name(asked.searchers.front())) {
    return serve_command(asked, folder);
  }
  std::string command = "cubicbench search";
  if (!asked.suite.empty()) command += " --suite " + shell_word(asked.suite);
  for (const search::AskedScenario& scenario : asked.scenarios) {
    if (asked.suite.empty()) command += " " + shell_word(scenario.name);
  }
  const auto option = [&](const char* name, const std::string& value, const std::string& usual) {
    if (value != usual) command += std::string(" --") + name + " " + shell_word(value);
  };
  option("searcher", searchers_text(asked), "");
  const auto trials = trials_of(asked);
  if (trials && asked.suite.empty()) option("trials", std::to_string(*trials), "");
  option("seeds", std::to_string(asked.seeds), "");
  option("first-seed", std::to_string(asked.first_seed), "0");
  option("instances", std::to_string(asked.instances), "1");
  option("salt", asked.salt_sha256.empty() ? "" : "SALT", "");
  option("slots", std::to_string(asked.slots), "1");
  option("telling", asked.telling, "reason");
  option("backend", backend_text(asked), "simulator");
  option("start", asked.start, "baseline");
  if (asked.permute) command += " --permute";
  for (const std::string& from : asked.warm_start.from) {
    option("warm-start", from.starts_with("sha256:") ? "FOLDER" : from, "");
  }
  option("shard", is_whole(asked.shard) ? "" : text_of(asked.shard), "");
  option("out", folder, "");
  return command;
}

/// The folder without what belongs to this machine: of an absolute path the last part.
std::string folder_name(const std::filesystem::path& path) {
  std::filesystem::path name = path.lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return (name.is_absolute() ? name.filename() : name).string();
}

}  // namespace

std::string simulate_command(const AskedProblem& problem,
                             std::span<const std::pair<std::string, std::string>> config) {
  std::string command = "cubicbench simulate " + shell_word(problem.scenario);
  if (problem.instance != 0) command += " --instance " + std::to_string(problem.instance);
  if (!problem.salt.empty()) command += " --salt " + shell_word(problem.salt);
  for (const std::string& set : problem.sets) {
    const std::string name = set.substr(0, set.find('='));
    const bool overruled =
        std::ranges::any_of(config, [&](const auto& setting) { return setting.first == name; });
    if (!overruled) command += " --set " + shell_word(set);
  }
  for (const auto& [name, value] : config) {
    command += " --set " + shell_word(support::joined(std::array{name, value}, "="));
  }
  return command;
}

std::string simulate_command(const search::StudyResult& study,
                             std::span<const std::pair<std::string, std::string>> config,
                             std::span<const std::pair<std::string, std::string>> baseline) {
  std::vector<std::pair<std::string, std::string>> changes;
  std::ranges::copy_if(config, std::back_inserter(changes), [&](const auto& setting) {
    return std::ranges::find(baseline, setting) == baseline.end();
  });
  return simulate_command({.scenario = study.scenario,
                           .instance = static_cast<std::uint64_t>(study.instance),
                           .salt = study.salt_sha256.empty() ? "" : "SALT"},
                          changes);
}

std::vector<std::string> folder_names(const search::StudySet& set) {
  std::vector<std::string> names;
  for (const search::SearchedFolder& folder : set.folders)
    names.push_back(folder_name(folder.path));
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = "DIR" + std::to_string(i + 1);
  return names;
}

std::vector<std::string> search_commands(const search::StudySet& set) {
  const std::vector<std::string> folders = folder_names(set);
  std::vector<std::string> commands;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (auto command = search_command(set.folders[i].asked, folders[i])) {
      commands.push_back(std::move(*command));
    }
  }
  return commands;
}

}  // namespace cubicbench::results
