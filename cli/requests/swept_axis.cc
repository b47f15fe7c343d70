#include "cli/requests/swept_axis.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "results/document/number_text.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/parsed.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

/// first, first + step, ... or first, first x factor, ... up to `last`.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
  bool by_factor = false;
};

std::optional<Range> parsed_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::size_t sign = text.find_first_of("+*", dots);
  const auto first = support::parsed<std::int64_t>(text.substr(0, dots));
  const auto last = support::parsed<std::int64_t>(text.substr(dots + 2, sign - dots - 2));
  const auto step = sign == std::string_view::npos
                        ? std::optional<std::int64_t>(1)
                        : support::parsed<std::int64_t>(text.substr(sign + 1));
  if (!first || !last || !step) return std::nullopt;
  return Range{.first = *first,
               .last = *last,
               .step = *step,
               .by_factor = sign != std::string_view::npos && text[sign] == '*'};
}

/// Values beyond `most` are not counted one by one.
std::uint64_t count_of(const Range& range, std::uint64_t most) {
  if (!range.by_factor) {
    const auto length =
        static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(range.first);
    const std::uint64_t steps = length / static_cast<std::uint64_t>(range.step);
    return steps == std::numeric_limits<std::uint64_t>::max() ? steps : steps + 1;
  }
  std::uint64_t count = 1;
  for (std::int64_t at = range.first; at <= range.last / range.step && count <= most;
       at *= range.step) {
    ++count;
  }
  return count;
}

/// The values of one NAME=VALUES.
class AxisReader {
 public:
  explicit AxisReader(const std::string& text) : where_("--set " + support::shortened(text)) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse("expected NAME=VALUES, such as tensor_parallel=1,2,4 or micro_batch=1..8");
    }
    axis_.name = text.substr(0, equals);
    axis_.typed = text;
    for (std::size_t begin = equals + 1; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      add(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  results::SweepAxis take() { return std::move(axis_); }

 private:
  [[noreturn]] void refuse(const std::string& problem) const { throw InputError(where_, problem); }

  void add(const std::string& item) {
    if (item.empty()) refuse("expected values between commas, got \"\"");
    const bool is_range =
        item.find("..") != std::string::npos && item.find('/') == std::string::npos;
    if (is_range) {
      add_range(item);
    } else {
      add_value(item);
    }
  }

  void add_value(const std::string& value) {
    if (!seen_.insert(value).second) {
      refuse("expected each value once, got " + support::in_quotes(support::shortened(value)) +
             " twice");
    }
    axis_.values.push_back(value);
  }

  void add_range(const std::string& item) {
    const std::string got = ", got " + support::in_quotes(support::shortened(item));
    const std::optional<Range> range = parsed_range(item);
    if (!range) refuse("expected a range of integers A..B, A..B+STEP or A..B*FACTOR" + got);
    if (range->first > range->last) refuse("expected a range that rises" + got);
    if (range->by_factor && (range->step < 2 || range->first < 1)) {
      refuse("expected A..B*FACTOR with A of at least 1 and a FACTOR of at least 2" + got);
    }
    if (range->step < 1) refuse("expected A..B+STEP with a STEP of at least 1" + got);
    const std::uint64_t count = count_of(*range, sweep_points_max);
    if (count > sweep_points_max - std::min<std::uint64_t>(sweep_points_max, axis_.values.size())) {
      refuse("expected at most " + results::grouped(sweep_points_max) + " values, got " +
             results::grouped(count) + " in " + support::in_quotes(support::shortened(item)));
    }
    std::int64_t at = range->first;
    for (std::uint64_t i = 0; i < count; ++i) {
      add_value(std::to_string(at));
      if (i + 1 < count) at = range->by_factor ? at * range->step : at + range->step;
    }
  }

  std::string where_;
  std::set<std::string> seen_;
  results::SweepAxis axis_;
};

}  // namespace

results::SweepAxis swept_axis(const std::string& text, const std::string& /*where*/) {
  return AxisReader(text).take();
}

void check_points(const std::vector<results::SweepAxis>& axes) {
  const std::optional<std::uint64_t> count = results::point_count(axes);
  if (count && *count <= sweep_points_max) return;
  const std::string sizes = support::joined(axes, " x ", [](const results::SweepAxis& axis) {
    return results::grouped(axis.values.size());
  });
  throw InputError("--set", "expected at most " + results::grouped(sweep_points_max) +
                                " points, got " +
                                (count ? results::grouped(*count) : "more than 2^64") + ", " +
                                sizes + "; enumerate --table values whole spaces");
}

}  // namespace cubicbench::cli
