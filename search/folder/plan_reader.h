#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/folder/campaign.h"
#include "search/folder/shard.h"
#include "search/study/warm_start.h"

namespace cubicbench::search {

/// A scenario of a search, as far as its plan.json tells.
struct AskedScenario {
  std::string name;
  std::string sha256{};
  std::vector<std::string> truth_sha256{};  ///< one an instance; none where trials really run
  std::int64_t trials = 0;                  ///< launches a study
  scenarios::Objective objective{};

  bool operator==(const AskedScenario&) const = default;
};

/// What a search was asked for. Its studies are every scenario x instance x searcher x seed, or the
/// shard's share of them.
struct AskedSearch {
  std::string version;
  std::vector<AskedScenario> scenarios;
  std::vector<std::string> searchers;  ///< as they were typed
  std::int64_t seeds = 1;              ///< so many, from `first_seed` on
  std::int64_t instances = 1;          ///< so many, from `first_instance` on
  std::int64_t first_seed = 0;
  std::int64_t first_instance = 0;
  std::string salt_sha256{};  ///< of instances from 1 on; "" where they are not sealed
  std::int64_t slots = 1;
  std::string telling;
  std::string suite{};  ///< whose problems these are; "" of others
  std::string start = "none";
  std::string backend;  ///< as recorded_backend() has it
  bool permute = false;
  WarmStarts warm_start{};  ///< what searchers were told before their first proposal
  Shard shard{};            ///< whose studies the folder has

  bool operator==(const AskedSearch&) const = default;
};

/// Reads a plan.json that plan_text() wrote, to learn what the journals beside it hold. Nothing is
/// looked up, so scenarios, searchers and versions that this program does not know are no problem;
/// read_plan() reads a plan to run it. Throws InputError with every problem.
AskedSearch read_asked_search(const std::filesystem::path& path);

/// The library's scenario of that name, or member of a family; nothing where it has none, or
/// another one (sha256).
std::optional<scenarios::Scenario> library_scenario(const std::string& name,
                                                    const std::string& sha256);

/// Reads what a plan.json asks for (schema cubicbench.plan/1), to ask for it again. Of a
/// scenario only the name is needed, of a searcher its text; the numbers have the defaults of the
/// command line. Scenarios come from the library, and where the file has `scenario_sha256` it must
/// be that of the scenario found. Of sealed instances it knows the salt's hash and not the salt,
/// which the caller has to bring (`seal`: sealed members of families are drawn from it). Throws
/// InputError with every problem.
SearchPlan read_plan(const std::string& path,
                     const std::shared_ptr<const scenarios::Seal>& seal = nullptr);

}  // namespace cubicbench::search
