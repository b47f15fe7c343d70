#include "datasets/exhaustive/run_pile.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

constexpr std::size_t digit_bits = 8;
constexpr std::size_t digits = 64 / digit_bits;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

std::size_t digit_of(std::uint64_t key, std::size_t digit) {
  return static_cast<std::size_t>(key >> (digit * digit_bits)) & (digit_values - 1);
}

/// Sorts by digits from the lowest; digits that all keys share cost nothing.
void sort_keys(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  std::array<std::array<std::size_t, digit_values>, digits> counts{};
  for (const std::uint64_t key : keys) {
    for (std::size_t digit = 0; digit < digits; ++digit) ++counts[digit][digit_of(key, digit)];
  }
  scratch.resize(keys.size());
  for (std::size_t digit = 0; digit < digits; ++digit) {
    std::array<std::size_t, digit_values>& places = counts[digit];
    if (places[digit_of(keys.front(), digit)] == keys.size()) continue;
    std::size_t place = 0;
    for (std::size_t& count : places) place += std::exchange(count, place);
    for (const std::uint64_t key : keys) scratch[places[digit_of(key, digit)]++] = key;
    keys.swap(scratch);
  }
}

std::vector<ValueRun> runs_of(const std::vector<std::uint64_t>& sorted) {
  std::vector<ValueRun> runs;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    runs.push_back({.value = value_of_bits(sorted[i]), .count = end - i});
    i = end;
  }
  return runs;
}

std::vector<ValueRun> joined_runs(const std::vector<ValueRun>& a, const std::vector<ValueRun>& b) {
  std::vector<ValueRun> runs;
  runs.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->value < j->value)) {
      runs.push_back(*i++);
    } else if (i == a.end() || j->value < i->value) {
      runs.push_back(*j++);
    } else {
      runs.push_back({.value = i->value, .count = i->count + j->count});
      ++i;
      ++j;
    }
  }
  return runs;
}

[[noreturn]] void unwritable(const std::filesystem::path& beside) {
  throw support::OutputError("cannot write a temporary file beside " + beside.string() + ": " +
                             std::generic_category().message(errno));
}

}  // namespace

void RunSpill::open() {
  std::string name =
      (beside_.parent_path() / ("." + beside_.filename().string() + ".XXXXXX")).string();
  auto file = std::make_shared<support::FileDescriptor>(::mkostemp(name.data(), O_CLOEXEC));
  if (!*file) unwritable(beside_);
  ::unlink(name.c_str());
  file_ = std::move(file);
}

RunSegment RunSpill::write(std::span<const ValueRun> runs) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  const std::lock_guard lock(mutex_);
  if (file_ == nullptr) open();
  RunSegment segment{.file = file_, .name = beside_.string(), .begin = end_, .bytes = 0};
  RunEncoder encoder;
  std::string bytes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    encoder.add(runs[i], bytes);
    if (bytes.size() < piece_bytes && i + 1 < runs.size()) continue;
    if (!support::write_all(file_->get(), bytes)) unwritable(beside_);
    segment.bytes += bytes.size();
    bytes.clear();
  }
  end_ += segment.bytes;
  return segment;
}

std::vector<RunSource> RunPile::take() {
  sort_buffer();
  std::vector<RunSource> sources = std::exchange(spilled_, {});
  for (std::vector<ValueRun>& level : levels_) sources.emplace_back(std::move(level));
  levels_.clear();
  held_ = 0;
  return sources;
}

void RunPile::sort_buffer() {
  if (buffer_.empty()) return;
  sort_keys(buffer_, scratch_);
  levels_.push_back(runs_of(buffer_));
  held_ += levels_.back().size();
  buffer_.clear();
  while (levels_.size() > 1 &&
         levels_[levels_.size() - 2].size() <= 2 * levels_[levels_.size() - 1].size()) {
    join_last_two();
  }
  if (held_ > runs_max_) spill_all();
}

void RunPile::join_last_two() {
  const std::vector<ValueRun> last = std::move(levels_.back());
  levels_.pop_back();
  held_ -= last.size() + levels_.back().size();
  levels_.back() = joined_runs(levels_.back(), last);
  held_ += levels_.back().size();
}

void RunPile::spill_all() {
  while (levels_.size() > 1) join_last_two();
  spilled_.emplace_back(spill_.write(levels_.back()));
  levels_.clear();
  held_ = 0;
}

}  // namespace cubicbench::datasets
