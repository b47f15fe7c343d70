#include "search/folder/shard.h"

#include <optional>

#include "search/folder/campaign.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::search {
namespace {

/// The whole of `text` as an integer in [1, max]: digits, no leading zero.
std::optional<std::int64_t> number_of(std::string_view text, std::int64_t max) {
  const std::optional<std::int64_t> value = support::parsed<std::int64_t>(text);
  if (!value || text.front() == '0' || *value < 1 || *value > max) return std::nullopt;
  return value;
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
