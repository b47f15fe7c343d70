#include "datasets/mapping/megatron_flags.h"

#include "datasets/mapping/text_match.h"

namespace cubicbench::datasets {
namespace {

/// "3" of "([0]*3+[1]*11)".
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  if (!text.starts_with(before)) return {};
  text.remove_prefix(before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

}  // namespace

std::string_view flag_in(std::string_view notes, std::string_view name) {
  for (std::size_t at = notes.find(name); at != std::string_view::npos;
       at = notes.find(name, at + 1)) {
    const bool begins = at == 0 || (!is_alphanumeric(notes[at - 1]) && notes[at - 1] != '-');
    std::string_view rest = notes.substr(at + name.size());
    if (!begins || !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    return rest.substr(0, rest.find_first_of(" ;,"));
  }
  return {};
}

std::optional<std::int64_t> count_flag_in(std::string_view notes, std::string_view name) {
  return count_of(flag_in(notes, name));
}

std::optional<ExpertLayers> expert_layers_in(std::string_view notes) {
  const std::string_view text = flag_in(notes, "moe-layer-freq");
  if (const auto period = count_of(text)) {
    if (*period < 1) return std::nullopt;
    return ExpertLayers{.first_dense = 0, .period = *period};
  }
  const auto dense = count_of(between(text, "([0]*", "+[1]*"));
  if (!dense || *dense < 0) return std::nullopt;
  return ExpertLayers{.first_dense = *dense, .period = 1};
}

}  // namespace cubicbench::datasets
