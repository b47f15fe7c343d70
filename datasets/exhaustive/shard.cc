#include "datasets/exhaustive/shard.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/run_code.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/sha256.h"

namespace cubicbench::datasets {
namespace {

using support::InputError;

/// "truth_sha256": the first thing that differs in what shards of one enumeration have in common;
/// "" where nothing does.
std::string difference(const EnumerationShard& a, const EnumerationShard& b) {
  if (a.version != b.version) return "version";
  if (a.head.scenario != b.head.scenario) return "scenario";
  if (a.head.scenario_sha256 != b.head.scenario_sha256) return "scenario_sha256";
  if (a.head.instance != b.head.instance) return "instance";
  if (a.head.salt_sha256 != b.head.salt_sha256) return "salt_sha256";
  if (a.head.truth_sha256 != b.head.truth_sha256) return "truth_sha256";
  if (a.of != b.of) return "number of shards";
  if (a.k_max != b.k_max) return "best_of";
  if (a.head.sketched != b.head.sketched) return "sketch";
  Enumeration head = a.head;
  head.random_search = b.head.random_search;  // the first shard alone has it
  return head == b.head ? "" : "configurations, constraints or baseline";
}

std::string shard_name(std::int64_t index, std::int64_t of) {
  return std::to_string(index) + "/" + std::to_string(of);
}

/// Puts the shards in order of their index, and the paths with them. Throws unless they are one
/// enumeration's, each once.
std::vector<std::size_t> order_of(const std::vector<EnumerationShard>& shards,
                                  const std::vector<std::string>& paths) {
  const EnumerationShard& first = shards.front();
  std::vector<std::size_t> place(static_cast<std::size_t>(first.of), shards.size());
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (const std::string other = difference(shards[i], first); !other.empty()) {
      throw InputError(paths[i], "expected a shard of the enumeration of " + paths.front() +
                                     ", got one with another " + other);
    }
    std::size_t& at = place[static_cast<std::size_t>(shards[i].index) - 1];
    if (at < shards.size()) {
      throw InputError(paths[i], "expected each shard once, got " +
                                     shard_name(shards[i].index, first.of) + ", as " + paths[at] +
                                     " is");
    }
    at = i;
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] == shards.size()) {
      throw InputError(paths.front(), "expected all " + std::to_string(first.of) +
                                          " shards, got none that is " +
                                          shard_name(static_cast<std::int64_t>(i) + 1, first.of));
    }
  }
  return place;
}

std::shared_ptr<const support::FileDescriptor> opened(const std::string& path) {
  return std::make_shared<support::FileDescriptor>(support::open_to_read(path));
}

std::string sha256_of(const support::FileDescriptor& file, const std::string& path,
                      const std::function<void()>& look) {
  support::Sha256 hash;
  std::string piece(std::size_t{1} << 18, '\0');
  while (true) {
    if (look) look();
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw InputError(path,
                       "expected a readable file, got: " + std::generic_category().message(errno));
    }
    if (got == 0) return hash.hex();
    hash.add({piece.data(), static_cast<std::size_t>(got)});
  }
}

/// What an earlier run left there belongs to no document any more.
void remove_values(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  if (!std::filesystem::remove(path, error) && error) {
    throw support::OutputError("cannot remove " + path + ": " + error.message());
  }
}

}  // namespace

NumberRange range_of_shard(std::uint64_t configurations, std::int64_t index, std::int64_t of) {
  const auto n = static_cast<std::uint64_t>(of);
  const auto start_of = [&](std::uint64_t i) {
    return configurations / n * i + configurations % n * i / n;
  };
  const auto i = static_cast<std::uint64_t>(index);
  return {.first = start_of(i - 1), .count = start_of(i) - start_of(i - 1)};
}

void store_values(MergedRuns values, const std::string& path, EnumerationShard& shard,
                  const std::function<void()>& look) {
  values.read(shard.runs, inline_runs_max + 1);
  if (shard.runs.size() <= inline_runs_max) {
    remove_values(path);
    return;
  }
  support::StreamedFile file(path);
  support::Sha256 hash;
  std::uint64_t size = 0;
  RunEncoder encoder;
  std::string bytes;
  for (; !shard.runs.empty(); values.read(shard.runs, inline_runs_max)) {
    for (const ValueRun& run : shard.runs) encoder.add(run, bytes);
    file.add(bytes);
    hash.add(bytes);
    size += bytes.size();
    bytes.clear();
    if (look) look();
  }
  file.keep();
  shard.file = ValuesFile{
      .name = std::filesystem::path(path).filename().string(), .sha256 = hash.hex(), .bytes = size};
}

RunSource stored_values(const EnumerationShard& shard, const std::string& path,
                        const std::function<void()>& look) {
  if (!shard.file) return RunSource(shard.runs);
  const std::string name = (std::filesystem::path(path).parent_path() / shard.file->name).string();
  const auto file = opened(name);
  if (sha256_of(*file, name, look) != shard.file->sha256) {
    throw InputError(
        name, "expected the values that " + path + " names, got a file with another SHA-256");
  }
  return RunSource(RunSegment{.file = file, .name = name, .begin = 0, .bytes = shard.file->bytes});
}

Enumeration merged(std::vector<EnumerationShard> shards, const std::vector<std::string>& paths,
                   int threads, const std::function<void()>& look) {
  ValuedSpace all;
  const scenarios::Direction direction = shards.front().head.objective.direction;
  const std::vector<std::size_t> order = order_of(shards, paths);
  for (const std::size_t i : order) {
    EnumerationShard& shard = shards[i];
    for (std::size_t reason = 0; reason < reason_count; ++reason) {
      all.failures[reason] += shard.failures[reason];
    }
    const bool better =
        shard.best.count > 0 &&
        (all.best.count == 0 || is_better(shard.best.value, all.best.value, direction));
    if (better) all.best_configs.clear();
    if (better || shard.best.value == all.best.value) {
      // Numbers of later shards are greater.
      std::move(shard.best_configs.begin(), shard.best_configs.end(),
                std::back_inserter(all.best_configs));
    }
    all.best.add(shard.best, direction);
    all.best_configs.resize(all.best.numbers.size());
    all.values.push_back(stored_values(shard, paths[i], look));
  }
  EnumerationShard& first = shards[order.front()];
  return enumerated(std::move(first.head), std::move(all), first.k_max, threads, look);
}

}  // namespace cubicbench::datasets
