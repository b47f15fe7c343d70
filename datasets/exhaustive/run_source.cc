#include "datasets/exhaustive/run_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 15;

/// Reads a segment piece by piece.
class SegmentReader {
 public:
  explicit SegmentReader(RunSegment segment) : segment_(std::move(segment)) {}

  bool operator()(std::vector<ValueRun>& runs) {
    runs.clear();
    while (runs.empty() && segment_.bytes > 0) {
      fill();
      std::string_view bytes = bytes_;
      while (const std::optional<ValueRun> run = decoder_.next(bytes)) runs.push_back(*run);
      bytes_.erase(0, bytes_.size() - bytes.size());
      if (decoder_.broken() || (segment_.bytes == 0 && !bytes_.empty())) {
        throw support::InputError(segment_.name, "expected values of an enumeration, got others");
      }
    }
    return !runs.empty();
  }

 private:
  /// Appends what is next in the file.
  void fill() {
    const std::size_t had = bytes_.size();
    bytes_.resize(had + std::min<std::uint64_t>(read_bytes, segment_.bytes));
    const ssize_t got = ::pread(segment_.file->get(), bytes_.data() + had, bytes_.size() - had,
                                static_cast<off_t>(segment_.begin));
    if (got < 0 && errno == EINTR) {
      bytes_.resize(had);
      return;
    }
    if (got <= 0) {
      throw support::InputError(segment_.name,
                                "expected " + std::to_string(segment_.bytes) + " more bytes, got " +
                                    (got == 0 ? "none" : std::generic_category().message(errno)));
    }
    bytes_.resize(had + static_cast<std::size_t>(got));
    segment_.begin += static_cast<std::uint64_t>(got);
    segment_.bytes -= static_cast<std::uint64_t>(got);
  }

  RunSegment segment_;
  RunDecoder decoder_;
  std::string bytes_;
};

}  // namespace

RunSource::RunSource(std::vector<ValueRun> runs)
    : runs_(std::move(runs)), read_more_([](std::vector<ValueRun>& all) {
        all = {};
        return false;
      }) {}

RunSource::RunSource(RunSegment segment) : read_more_(SegmentReader(std::move(segment))) {
  read_more_(runs_);
}

void RunSource::pop() {
  if (++at_ < runs_.size()) return;
  at_ = 0;
  read_more_(runs_);
}

MergedRuns::MergedRuns(std::vector<RunSource> sources) : sources_(std::move(sources)) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].front() != nullptr) heap_.push_back(i);
  }
  const auto order = [this](std::size_t a, std::size_t b) { return later(a, b); };
  std::make_heap(heap_.begin(), heap_.end(), order);
}

bool MergedRuns::later(std::size_t a, std::size_t b) const {
  return sources_[a].front()->value > sources_[b].front()->value;
}

void MergedRuns::read(std::vector<ValueRun>& runs, std::size_t runs_max) {
  const auto order = [this](std::size_t a, std::size_t b) { return later(a, b); };
  runs.clear();
  while (!heap_.empty()) {
    RunSource& source = sources_[heap_.front()];
    const ValueRun run = *source.front();
    if (!runs.empty() && runs.back().value == run.value) {
      runs.back().count += run.count;
    } else if (runs.size() == runs_max) {
      return;
    } else {
      runs.push_back(run);
    }
    std::pop_heap(heap_.begin(), heap_.end(), order);
    source.pop();
    if (source.front() == nullptr) {
      heap_.pop_back();
    } else {
      std::push_heap(heap_.begin(), heap_.end(), order);
    }
  }
}

}  // namespace cubicbench::datasets
