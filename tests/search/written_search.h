#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/folder/plan_reader.h"
#include "support/json/canonical.h"
#include "tests/text_files.h"

namespace cubicbench::search {

/// One launch of a hand-written journal.
struct WrittenLaunch {
  double value = 0.0;       ///< 0: it failed
  std::string reason = "";  ///< why
  double cost = 1.0;
  double truth = 0.0;  ///< 0: unknown
  int round = 0;
  double fidelity = 1.0;
};

struct WrittenStudy {
  std::string scenario = "made-up";
  std::string searcher = "random";
  int instance = 0;
  int seed = 0;
  int trials = 0;  ///< 0: as many as there are launches
  std::string truth_sha256 = "7777";
  std::string scenario_sha256 = "5555";
  std::string telling = "reason";
  int slots = 1;
  std::string backend = "simulator";  ///< of another one truth_sha256 is ""
  bool permute = false;
  std::string salt_sha256 = "";      ///< of a sealed instance
  scenarios::Objective objective{};  ///< as plan.json has it
  std::vector<WrittenLaunch> launches;
};

inline std::size_t trials_of(const WrittenStudy& study) {
  return study.trials > 0 ? static_cast<std::size_t>(study.trials) : study.launches.size();
}

inline std::string header_line(const WrittenStudy& study, const std::string& kind) {
  const auto text = [](const std::string& value) { return support::json_string(value); };
  std::string line = R"({"schema":"cubicbench.)" + kind + R"(/1","version":"0.1.0","scenario":)" +
                     text(study.scenario) + R"(,"scenario_sha256":)" + text(study.scenario_sha256) +
                     R"(,"truth_sha256":)" +
                     (study.truth_sha256.empty() ? "null" : text(study.truth_sha256)) +
                     R"(,"instance":)" + std::to_string(study.instance);
  if (!study.salt_sha256.empty()) line += R"(,"salt_sha256":)" + text(study.salt_sha256);
  if (kind == "truth") return line + "}\n";
  return line + R"(,"searcher":)" + text(study.searcher) + R"(,"options":{"backend":)" +
         text(study.backend) + R"(,"slots":)" + std::to_string(study.slots) +
         (study.permute ? R"(,"permute":true)" : "") + R"(},"telling":)" + text(study.telling) +
         R"(,"seed":)" + std::to_string(study.seed) + R"(,"budget":{"trials":)" +
         std::to_string(trials_of(study)) + "}}\n";
}

inline std::string launch_line(std::size_t trial, const WrittenLaunch& launch) {
  const bool failed = launch.value == 0.0;
  const std::string number = std::to_string(trial);
  return R"({"trial":)" + number + R"(,"attempt":0,"config":{"micro_batch":)" + number +
         R"(,"sharding":"full_shard","compile":true},"state":")" + (failed ? "fail" : "complete") +
         R"(","reason":)" + (failed ? support::json_string(launch.reason) : "null") +
         R"(,"value":)" + (failed ? "null" : support::shortest(launch.value)) +
         R"(,"metrics":{},"cost_gpu_hours":)" + support::shortest(launch.cost) +
         R"(,"started_h":)" + number + R"(,"finished_h":)" + std::to_string(trial + 1) +
         R"(,"round":)" + std::to_string(launch.round) + R"(,"fidelity":)" +
         (launch.fidelity == 1.0 ? "null" : support::shortest(launch.fidelity)) + "}\n";
}

inline std::string plan_text(const AskedSearch& asked) {
  const auto text = [](const std::string& value) { return support::json_string(value); };
  std::string list;
  for (const AskedScenario& scenario : asked.scenarios) {
    list += std::string(list.empty() ? "" : ",") + R"({"scenario":)" + text(scenario.name) +
            R"(,"scenario_sha256":)" + text(scenario.sha256) + R"(,"truth_sha256":[],"trials":)" +
            std::to_string(scenario.trials) + R"(,"objective":{"metric":")" +
            std::string(name_of(scenario.objective)) + R"(","percentile":)" +
            support::shortest(scenario.objective.percentile) + R"(,"direction":")" +
            std::string(name_of(scenario.objective.direction)) + "\"}}";
  }
  std::string searchers;
  for (const std::string& searcher : asked.searchers) {
    searchers += std::string(searchers.empty() ? "" : ",") + R"({"searcher":)" + text(searcher) +
                 R"(,"options":{}})";
  }
  return R"({"schema":"cubicbench.plan/1","version":"0.1.0","scenarios":[)" + list +
         R"(],"searchers":[)" + searchers + R"(],"seeds":)" + std::to_string(asked.seeds) +
         R"(,"instances":)" + std::to_string(asked.instances) + R"(,"slots":)" +
         std::to_string(asked.slots) + R"(,"telling":)" + text(asked.telling) + R"(,"backend":)" +
         text(asked.backend) + (asked.permute ? R"(,"permute":true)" : "") +
         (asked.salt_sha256.empty() ? "" : R"(,"salt_sha256":)" + text(asked.salt_sha256)) + "}\n";
}

/// Asks in the folder's plan.json, which is made or extended, for what the study is.
inline void ask_for(const std::filesystem::path& folder, const WrittenStudy& study) {
  const std::filesystem::path path = folder / "plan.json";
  AskedSearch asked{.version = "0.1.0",
                    .scenarios = {},
                    .searchers = {},
                    .seeds = 1,
                    .instances = 1,
                    .salt_sha256 = study.salt_sha256,
                    .slots = study.slots,
                    .telling = study.telling,
                    .backend = study.backend,
                    .permute = study.permute};
  if (std::filesystem::exists(path)) asked = read_asked_search(path);
  const auto add = [](auto& list, const auto& entry) {
    if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
  };
  add(asked.scenarios, AskedScenario{.name = study.scenario,
                                     .sha256 = study.scenario_sha256,
                                     .truth_sha256 = {},
                                     .trials = static_cast<std::int64_t>(trials_of(study)),
                                     .objective = study.objective});
  add(asked.searchers, study.searcher);
  asked.seeds = std::max<std::int64_t>(asked.seeds, study.seed + 1);
  asked.instances = std::max<std::int64_t>(asked.instances, study.instance + 1);
  write_text(path, plan_text(asked));
}

/// The study's journal in `folder`, named `file`, its truth where any launch has one, and the plan
/// that asks for it.
inline void write_study(const std::filesystem::path& folder, const std::string& file,
                        const WrittenStudy& study) {
  std::string journal = header_line(study, "journal");
  std::string truth = header_line(study, "truth");
  bool known = false;
  for (std::size_t i = 0; i < study.launches.size(); ++i) {
    const WrittenLaunch& launch = study.launches[i];
    journal += launch_line(i, launch);
    const bool fails = launch.truth == 0.0;
    truth += R"({"trial":)" + std::to_string(i) + R"(,"attempt":0,"reason":)" +
             (fails ? R"("oom_init")" : "null") + R"(,"value":)" +
             (fails ? "null" : support::shortest(launch.truth)) + "}\n";
    known = known || launch.truth != 0.0;
  }
  ask_for(folder, study);
  write_text(folder / "journals" / (file + ".jsonl"), journal);
  if (known) write_text(folder / "truth" / (file + ".jsonl"), truth);
}

}  // namespace cubicbench::search
