#include "search/folder/shard.h"

#include <charconv>
#include <optional>

#include "search/folder/campaign.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

/// The whole of `text` as an integer in [1, max]: digits, no leading zero.
std::optional<std::int64_t> number_of(std::string_view text, std::int64_t max) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.front() == '0') return std::nullopt;
  return value >= 1 && value <= max ? std::optional(value) : std::nullopt;
}

}  // namespace

Shard parse_shard(std::string_view text, const std::string& where) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const std::optional<std::int64_t> of = number_of(text.substr(slash + 1), studies_max);
    const std::optional<std::int64_t> index = number_of(text.substr(0, slash), of.value_or(0));
    if (index) return {.index = *index, .of = *of};
  }
  throw support::InputError(
      where, "expected I/N with 1 <= I <= N <= " + std::to_string(studies_max) + ", got \"" +
                 support::shortened(text) + "\"");
}

std::string text_of(const Shard& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.of);
}

}  // namespace cubicbench::search
