#include "results/simulation/rank_list.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include "support/input_error.h"

namespace cubicbench::results {
namespace {

using support::InputError;

std::optional<std::int64_t> rank_of(std::string_view text, std::int64_t gpus) {
  std::int64_t rank = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, rank);
  const bool is_rank = error == std::errc{} && stop == end && rank >= 0 && rank < gpus;
  return is_rank ? std::optional(rank) : std::nullopt;
}

/// Adds "7", or all of "16-19".
void add_ranks(std::string_view word, std::int64_t gpus, const std::string& where,
               std::set<std::int64_t>& ranks) {
  const std::size_t dash = word.find('-', 1);
  const auto first = rank_of(word.substr(0, dash), gpus);
  const auto last = dash == std::string_view::npos ? first : rank_of(word.substr(dash + 1), gpus);
  if (!first || !last || *last < *first) {
    throw InputError(where, "expected ranks of 0 to " + std::to_string(gpus - 1) +
                                " such as 7 or 0-3, got " + "\"" + support::shortened(word) + "\"");
  }
  for (std::int64_t rank = *first; rank <= *last; ++rank) ranks.insert(rank);
}

}  // namespace

std::vector<std::int64_t> listed_ranks(const std::string& text, std::int64_t gpus,
                                       const std::string& where) {
  std::vector<support::Problem> problems;
  std::set<std::int64_t> ranks;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    support::gathered(problems, [&] {
      add_ranks(std::string_view(text).substr(begin, end - begin), gpus, where, ranks);
    });
    begin = end + 1;
  }
  support::throw_if_any(problems);
  if (ranks.size() > listed_ranks_max) {
    throw InputError(where, "expected at most " + std::to_string(listed_ranks_max) +
                                " ranks, got " + std::to_string(ranks.size()));
  }
  return {ranks.begin(), ranks.end()};
}

}  // namespace cubicbench::results
