#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "datasets/exhaustive/enumeration.h"
#include "datasets/exhaustive/run_source.h"
#include "datasets/exhaustive/valued_range.h"

namespace cubicbench::datasets {

/// More than anyone has machines.
inline constexpr std::int64_t shards_max = 1'000'000;

/// A file of encoded runs (datasets/exhaustive/run_code.h) that belongs to a shard's document.
struct ValuesFile {
  std::string name;  ///< in the folder of the document
  std::string sha256;
  std::uint64_t bytes = 0;

  bool operator==(const ValuesFile&) const = default;
};

/// One of several parts of an enumeration, each made by a program of its own.
struct EnumerationShard {
  /// What every shard knows, and in the first of all shards the curves of random search, which are
  /// simulated once.
  Enumeration head;
  std::string version;
  std::int64_t k_max = 1;  ///< of the best of k
  std::int64_t index = 1;  ///< this of `of`, from 1
  std::int64_t of = 1;
  ReasonCounts failures{};
  BestFound best;
  std::vector<scenarios::ConfigText> best_configs;  ///< of its numbers
  std::vector<ValueRun> runs;                       ///< all values, where they are few
  std::optional<ValuesFile> file;                   ///< where they are many

  bool operator==(const EnumerationShard&) const = default;
};

/// The configurations of shard `index` of `of`: consecutive, and as many for each up to one.
NumberRange range_of_shard(std::uint64_t configurations, std::int64_t index, std::int64_t of);

/// So many runs and fewer stand in a shard's document.
inline constexpr std::size_t inline_runs_max = 4096;

/// Moves the values to `shard`: into the document, or into the file `path`, named as it is there.
/// A file `path` of an earlier shard is replaced or removed. `look` is called now and then;
/// what it throws ends the work and leaves `path` as it was. Throws OutputError.
void store_values(MergedRuns values, const std::string& path, EnumerationShard& shard,
                  const std::function<void()>& look = {});

/// The values of a shard whose document lies at `path`. Throws InputError where the file is missing
/// or another than the document says, and what `look` throws.
RunSource stored_values(const EnumerationShard& shard, const std::string& path,
                        const std::function<void()>& look = {});

/// The enumeration of all shards; `paths` says where their documents lie, for messages and values.
/// `look` is called now and then; what it throws ends the work. Throws InputError where shards are
/// missing, there twice, or of different enumerations.
Enumeration merged(std::vector<EnumerationShard> shards, const std::vector<std::string>& paths,
                   int threads, const std::function<void()>& look = {});

}  // namespace cubicbench::datasets
