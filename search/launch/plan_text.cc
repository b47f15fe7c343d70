#include "search/launch/plan_text.h"

#include <algorithm>

#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view model_name = "model";
constexpr std::size_t model_slot = static_cast<std::size_t>(-1);
constexpr std::size_t no_slot = static_cast<std::size_t>(-2);

std::size_t slot_of(std::string_view name, const std::string& where) {
  if (name == model_name) return model_slot;
  const auto names = PlanFacts::names();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw support::InputError(where, "unknown name " + support::in_quotes(support::shortened(name)) +
                                       support::did_you_mean(name, names));
}

}  // namespace

PlanText PlanText::parse(std::string_view text, const std::string& where) {
  PlanText parsed;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    const std::size_t close = text.find('}', at);
    const bool ends = open == text.size();
    if (ends ? close != std::string_view::npos : close == std::string_view::npos || close < open) {
      throw support::InputError(where, "expected {NAME}, got a brace without its other");
    }
    Part part{.before = std::string(text.substr(at, open - at)), .slot = no_slot};
    if (!ends) part.slot = slot_of(text.substr(open + 1, close - open - 1), where);
    parsed.parts_.push_back(std::move(part));
    if (ends) break;
    at = close + 1;
  }
  return parsed;
}

std::string PlanText::filled(const PlanFacts& facts, std::string_view model) const {
  std::string text;
  for (const Part& part : parts_) {
    text += part.before;
    if (part.slot == no_slot) continue;
    text += part.slot == model_slot ? std::string(model) : facts.text(part.slot);
  }
  return text;
}

}  // namespace cubicbench::search
