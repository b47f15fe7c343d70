#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/folder/campaign.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {

/// The baseline of tiny-llama, which is a configuration of its space.
inline const std::string tiny_config =
    R"({"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":4,"sharding":"full_shard","wrap":1,"recompute":"none","compile":false})";

/// One that needs twice the GPUs that there are: a constraint rejects it.
inline const std::string tiny_rejected =
    R"({"tensor_parallel":8,"pipeline_parallel":2,"micro_batch":1,"schedule":"1f1b","sequence_parallel":false,"sharding":"zero1","recompute":"none","compile":false})";

/// A client of shell: what it does on each message, which is in $line.
struct ScriptedClient {
  std::string before{};  ///< the first message
  std::string hello = R"(echo '{"type":"ready","protocol":1}')";
  std::string ask = propose(tiny_config);
  std::string tell = ":";
  std::string recommend = R"(echo '{"type":"recommend","config":null}')";
  std::string stop = "exit 0";

  static std::string propose(const std::string& config) {
    return "echo '{\"type\":\"propose\",\"configs\":[" + config + "]}'";
  }

  std::string script() const {
    const auto on = [](const std::string& type, const std::string& what) {
      return "    *'\"type\":\"" + type + "\"'*) " + what + " ;;\n";
    };
    return before + "\nwhile read -r line; do\n  case $line in\n" + on("hello", hello) +
           on("ask", ask) + on("tell", tell) + on("recommend", recommend) + on("stop", stop) +
           "  esac\ndone\n";
  }

  /// Plays what is in a file, a configuration a line, and then has no more.
  static ScriptedClient of_file(const std::filesystem::path& file) {
    ScriptedClient client;
    client.hello = "exec 3<'" + file.string() + "'; " + client.hello;
    client.ask =
        "if read -r c <&3; then echo '{\"type\":\"propose\",\"configs\":['$c']}'; else echo "
        "'{\"type\":\"propose\",\"configs\":[]}'; fi";
    return client;
  }
};

/// The searcher that runs the script, which is written to `file`.
inline SearcherSpec searcher_of_script(const ScriptedClient& client,
                                       const std::filesystem::path& file) {
  write_text(file, client.script());
  return parse_searcher("external:sh " + file.string(), "--searcher");
}

/// Of tiny-llama.
inline SearchPlan tiny_plan(std::int64_t trials) {
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
  plan.trials = trials;
  return plan;
}

/// What the search says when it ends in OutputError; "" when it ends in order.
inline std::string failure_of(const SearchPlan& plan, const SearchRun& run) {
  try {
    run_search(plan, run);
  } catch (const support::OutputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace cubicbench::search
