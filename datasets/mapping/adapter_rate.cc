#include "datasets/mapping/adapter_rate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "datasets/mapping/text_match.h"

namespace cubicbench::datasets {
namespace {

using support::is_digit;

constexpr double adapter_gbps_max = 800.0;  // XDR, the fastest there is

struct Named {
  std::string_view text;
  double gbps;
};

constexpr std::array units{Named{"Gb/s", 1.0},      Named{"Gbps", 1.0},    Named{"Gbit", 1.0},
                           Named{"GbE", 1.0},       Named{"Tb/s", 1000.0}, Named{"Tbps", 1000.0},
                           Named{"Tbit/s", 1000.0}, Named{"Gb", 1.0},      Named{"G", 1.0}};

// Signal rates of four lanes; the IBTA's names.
constexpr std::array infiniband_generations{
    Named{"XDR", 800.0},     Named{"NDR200", 200.0}, Named{"NDR", 400.0}, Named{"HDR100", 100.0},
    Named{"HDR-100", 100.0}, Named{"HDR", 200.0},    Named{"EDR", 100.0}};

constexpr std::array<std::string_view, 6> of_node{"node", "server", "machine",
                                                  "host", "VM",     "instance"};
constexpr std::array<std::string_view, 7> of_one{"GPU",  "adapter", "NIC", "port",
                                                 "card", "link",    "HCA"};

std::size_t find_any_case(std::string_view text, std::string_view part) {
  const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(), same_letter);
  return found == text.end() ? std::string_view::npos
                             : static_cast<std::size_t>(found - text.begin());
}

/// Where `text` first says "per X", "/X", "a X" of one of `things`.
template <std::size_t N>
std::size_t find_each(std::string_view text, const std::array<std::string_view, N>& things) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view thing : things) {
    for (const std::string_view each : {"per ", "/", "a ", "each "}) {
      first = std::min(first, find_any_case(text, std::string(each) + std::string(thing)));
    }
  }
  return first;
}

bool sums_up(std::string_view text) {
  return contains_any_case(text, "aggregate") || contains_any_case(text, "total");
}

/// Is what follows `before` a rate of the links inside a node? NVLink is named, and no adapter
/// after it.
bool is_inside(std::string_view before) {
  constexpr std::array<std::string_view, 4> inside{"NVLink", "NVSwitch", "XGMI", "Infinity Fabric"};
  constexpr std::array<std::string_view, 10> between{
      "IB", "InfiniBand", "RoCE", "RDMA", "Ethernet", "EFA", "ConnectX", "NDR", "HDR", "adapter"};
  for (const std::string_view name : inside) {
    std::size_t at = find_any_case(before, name);
    if (at == std::string_view::npos) continue;
    const std::string_view after = before.substr(at + name.size());
    return std::ranges::none_of(
        between, [&](std::string_view word) { return contains_any_case(after, word); });
  }
  return false;
}

/// Reads one part of a text, between commas.
class Clause {
 public:
  explicit Clause(std::string_view text) : text_(text) {}

  /// The first rate with a unit.
  std::optional<StatedAdapters> rate() {
    while (at_ < text_.size()) {
      if (!at_digit()) {
        ++at_;
        continue;
      }
      const std::size_t begin = at_;
      double value = number();
      std::optional<double> count;
      if (times()) {
        count = value;
        value = number();
      } else if (is_count(begin)) {
        count_ = value;
        counted_ = at_;
        continue;
      }
      const std::optional<double> unit = take_unit();
      if (!unit || value <= 0.0 || is_inside(text_.substr(0, begin))) continue;
      if (count && is_of_gpu(at_))
        return StatedAdapters{.count = {}, .gbps = *count * value * *unit};
      if (count) return StatedAdapters{.count = *count, .gbps = value * *unit};
      return alone(value * *unit, begin);
    }
    return std::nullopt;
  }

  /// The rate of the generation that it names; after rate().
  std::optional<StatedAdapters> generation() const {
    for (const Named& name : infiniband_generations) {
      const std::size_t at = text_.find(name.text);
      if (at == std::string_view::npos || !is_word(at, name.text.size())) continue;
      const std::optional<double> count = count_before(at);
      if (count && is_of_gpu(at)) return StatedAdapters{.count = {}, .gbps = *count * name.gbps};
      return StatedAdapters{.count = count, .gbps = name.gbps, .by_generation = true};
    }
    return std::nullopt;
  }

 private:
  bool at_digit() const { return at_ < text_.size() && is_digit(text_[at_]); }
  std::string_view rest() const { return text_.substr(at_); }

  void skip_spaces() {
    while (rest().starts_with(' ')) ++at_;
  }

  /// Requires at_digit().
  double number() {
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] =
        std::from_chars(begin, text_.data() + text_.size(), value, std::chars_format::fixed);
    at_ += error == std::errc{} ? static_cast<std::size_t>(end - begin) : 1;
    return value;
  }

  /// Passes the sign between a count and a rate.
  bool times() {
    const std::size_t before = at_;
    skip_spaces();
    for (const std::string_view sign : {"x", "X", "*", "\u00D7"}) {
      if (!rest().starts_with(sign)) continue;
      at_ += sign.size();
      skip_spaces();
      if (at_digit()) return true;
    }
    at_ = before;
    return false;
  }

  /// Was the number from `begin` a count of what words name: "8x ConnectX", not "48xlarge"?
  bool is_count(std::size_t begin) const {
    std::string_view after = rest();
    while (after.starts_with(' ')) after.remove_prefix(1);
    if (!after.starts_with('x') && !after.starts_with('X')) return false;
    after.remove_prefix(1);
    const bool names =
        after.starts_with(' ') || (!after.empty() && after[0] >= 'A' && after[0] <= 'Z');
    return names && (begin == 0 || !is_alphanumeric(text_[begin - 1]));
  }

  std::optional<double> take_unit() {
    skip_spaces();
    for (const Named& unit : units) {
      if (!rest().starts_with(unit.text)) continue;
      const std::string_view after = rest().substr(unit.text.size());
      const bool is_short = unit.text.size() <= 2;
      if (is_short && !after.empty() && (is_alphanumeric(after[0]) || after[0] == '/')) continue;
      at_ += unit.text.size();
      return unit.gbps;
    }
    return std::nullopt;
  }

  /// Does what follows say that a count is that of a GPU?
  bool is_of_gpu(std::size_t at) const {
    constexpr std::array<std::string_view, 2> gpu{"GPU", "accelerator"};
    return find_each(text_.substr(at), gpu) != std::string_view::npos;
  }

  StatedAdapters alone(double gbps, std::size_t begin) const {
    const std::size_t node = find_each(rest(), of_node);
    const bool says_one = find_each(rest(), of_one) < node;
    const bool sum = sums_up(text_);
    const std::optional<double> count = count_before(begin);
    if (count && is_of_gpu(at_)) return {.count = {}, .gbps = *count * gbps};
    const bool said = sum || (node != std::string_view::npos && !says_one && !count);
    if (said || (gbps > adapter_gbps_max && !says_one)) {
      return {.count = count, .gbps = gbps, .of_node = true};
    }
    return {.count = count, .gbps = gbps};
  }

  /// Adapters that were counted before `at`; machines and GPUs are not adapters.
  std::optional<double> count_before(std::size_t at) const {
    if (!count_ || counted_ > at) return std::nullopt;
    const std::string_view between = text_.substr(counted_, at - counted_);
    for (const std::string_view other : {"GPU", "node", "server", "NVLink"}) {
      if (contains_any_case(between, other)) return std::nullopt;
    }
    return count_;
  }

  /// "4xHDR" too.
  bool is_word(std::size_t at, std::size_t size) const {
    const std::size_t end = at + size;
    if (end < text_.size() && is_alphanumeric(text_[end])) return false;
    if (at == 0 || !is_alphanumeric(text_[at - 1])) return true;
    return at >= 2 && support::lowered(text_[at - 1]) == 'x' && is_digit(text_[at - 2]);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<double> count_;  ///< "8x " before words
  std::size_t counted_ = 0;      ///< where that ends
};

/// "3,200 Gb/s" as "3200 Gb/s".
std::string without_thousands_marks(std::string_view text) {
  constexpr std::size_t digits = 3;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view after = text.substr(at + 1, digits);
    const bool marks = text[at] == ',' && at > 0 && is_digit(text[at - 1]) &&
                       after.size() == digits && std::ranges::all_of(after, is_digit) &&
                       (at + 1 + digits == text.size() || !is_digit(text[at + 1 + digits]));
    if (!marks) plain += text[at];
  }
  return plain;
}

}  // namespace

std::optional<StatedAdapters> stated_adapters(std::string_view text) {
  const std::string plain = without_thousands_marks(text);
  std::optional<StatedAdapters> named;
  std::string_view rest = plain;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(",;+&"), rest.size());
    Clause clause(rest.substr(0, end));
    if (const auto rate = clause.rate()) return rate;
    if (!named) named = clause.generation();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return named;
}

double adapters_of_used(double adapters, const NodeUse& node) {
  const double owned = static_cast<double>(node.used) * adapters / static_cast<double>(node.gpus);
  return std::min(std::ceil(owned), adapters);
}

std::optional<double> adapter_gbps(std::string_view text, const NodeUse& node) {
  const std::optional<StatedAdapters> stated = stated_adapters(text);
  if (!stated) return std::nullopt;
  const auto gpus = static_cast<double>(node.gpus);
  const bool usual = stated->of_node || stated->by_generation;
  const double count = stated->count.value_or(usual ? node.adapters_a_gpu * gpus : gpus);
  if (count <= 0.0) return std::nullopt;
  const double one = stated->of_node ? stated->gbps / count : stated->gbps;
  return adapters_of_used(count, node) * one / static_cast<double>(node.used);
}

std::optional<double> adapter_gbps(std::string_view text, std::int64_t gpus_per_node) {
  return adapter_gbps(text, NodeUse{.gpus = gpus_per_node, .used = gpus_per_node});
}

}  // namespace cubicbench::datasets
