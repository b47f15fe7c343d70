#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/served/serve_lines.h"
#include "search/served/served_search.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {

/// The baseline of tiny-llama, which is a configuration of its space, and one that a constraint
/// rejects.
inline const std::string served_config =
    R"({"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":4,"sharding":"full_shard","wrap":1,"recompute":"none","compile":false})";
inline const std::string other_config =
    R"({"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true})";
inline const std::string rejected_config =
    R"({"tensor_parallel":8,"pipeline_parallel":2,"micro_batch":1,"schedule":"1f1b","sequence_parallel":false,"sharding":"zero1","recompute":"none","compile":false})";

inline SearchPlan served_plan(std::int64_t trials,
                              const std::vector<std::string>& names = {"tiny-llama"}) {
  SearchPlan plan;
  for (const std::string& name : names) plan.scenarios.push_back(scenarios::read_scenario(name));
  plan.searchers = {outside_searcher("client", "--as")};
  plan.trials = trials;
  return plan;
}

inline SearchRun served_run(const std::filesystem::path& out, bool resume = false) {
  SearchRun run;
  run.out = out;
  run.resume = resume;
  return run;
}

/// A program that sends what it was given, and remembers what it was answered.
class ScriptedPeer {
 public:
  explicit ScriptedPeer(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  LinePeer peer() {
    return {.next = [this]() -> std::optional<std::string> {
              if (next_ == lines_.size()) return std::nullopt;
              return lines_[next_++];
            },
            .answer =
                [this](std::string_view text) {
                  EXPECT_TRUE(text.ends_with('\n'));
                  answers.emplace_back(text);
                }};
  }

  std::vector<std::string> answers;

 private:
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

inline std::string evaluate_line(const std::string& config) {
  return R"({"type":"evaluate","config":)" + config + "}";
}

inline std::string recommend_line(const std::string& config) {
  return R"({"type":"recommend","config":)" + config + "}";
}

/// The answers as JSON.
std::vector<nlohmann::ordered_json> parsed(const std::vector<std::string>& answers);

/// Serves the one study of a plan, closes the folder in order, and returns the answers.
std::vector<nlohmann::ordered_json> served(const SearchPlan& plan, const SearchRun& run,
                                           std::vector<std::string> lines, bool* closed = nullptr);

}  // namespace cubicbench::search
