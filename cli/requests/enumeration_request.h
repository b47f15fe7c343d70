#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/shared_options.h"
#include "datasets/exhaustive/enumeration.h"
#include "datasets/exhaustive/value_sketch.h"
#include "datasets/exhaustive/valued_range.h"
#include "results/studies/study_commands.h"
#include "scenarios/problem/scenario.h"
#include "search/folder/shard.h"

namespace cubicbench::cli {

/// What the command line of `enumerate` asks for.
struct EnumerationRequest {
  std::string name;
  std::vector<std::string> sets;
  scenarios::Scenario scenario;
  std::uint64_t instance = 0;
  std::optional<std::string> salt;
  std::optional<std::int64_t> best_of;
  std::optional<search::Shard> shard;
  std::optional<std::string> out;
  std::optional<std::string> table;
  std::optional<std::filesystem::path> page;
  std::optional<std::uint64_t> limit;
  bool all = false;
  bool optimum_only = false;
  bool sketch = false;
  GlobalOptions global;
};

void declare_enumeration(Options& options, EnumerationRequest& request);

/// The problem, for commands that ask for its configurations.
results::AskedProblem problem_of(const EnumerationRequest& request);

/// The command that makes the page again; not the files beside it.
std::string command_of(const EnumerationRequest& request);

/// Is the optimum found by bounds, and not every configuration valued?
bool goes_by_bounds(const EnumerationRequest& request);

/// The configurations of the shard; all of them where there is none.
datasets::NumberRange part_of(const EnumerationRequest& request);

/// What is asked for the values, as the document has it.
std::string truth_of(const EnumerationRequest& request);

/// How values are rounded; nothing where they are counted as they are. `head`: what
/// datasets::enumeration_head() says.
std::optional<datasets::ValueSketch> sketch_of(const EnumerationRequest& request,
                                               const datasets::Enumeration& head);

/// Are the curves of random search simulated? Of several shards the first does it for all.
bool simulates_random_search(const EnumerationRequest& request);

/// The largest k of the best of k.
std::int64_t k_max_of(const EnumerationRequest& request);

}  // namespace cubicbench::cli
