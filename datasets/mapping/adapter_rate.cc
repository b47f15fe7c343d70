#include "datasets/mapping/adapter_rate.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cubicbench::datasets {
namespace {

struct Unit {
  std::string_view text;
  double gbps;
};

constexpr std::array units{Unit{"Gb/s", 1.0},    Unit{"Gbps", 1.0},     Unit{"Gbit/s", 1.0},
                           Unit{"Gb/sec", 1.0},  Unit{"Gb/Sec", 1.0},   Unit{"Tb/s", 1000.0},
                           Unit{"Tbps", 1000.0}, Unit{"Tbit/s", 1000.0}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads text from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  void skip() { rest_.remove_prefix(1); }
  void skip_spaces() {
    while (rest_.starts_with(' ')) skip();
  }
  bool at_digit() const { return !rest_.empty() && is_digit(rest_.front()); }

  /// Requires at_digit().
  double number() {
    double value = 0.0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, std::chars_format::fixed);
    rest_.remove_prefix(error == std::errc{} ? static_cast<std::size_t>(end - rest_.data()) : 1);
    return value;
  }

  /// Passes the sign between a count and a rate.
  bool times() {
    const Scanner before = *this;
    skip_spaces();
    for (const std::string_view sign : {"x", "X", "*", "\u00D7"}) {
      if (!rest_.starts_with(sign)) continue;
      rest_.remove_prefix(sign.size());
      skip_spaces();
      if (at_digit()) return true;
    }
    *this = before;
    return false;
  }

  /// Gbit/s of the unit that follows.
  std::optional<double> unit() {
    skip_spaces();
    for (const Unit& unit : units) {
      if (rest_.starts_with(unit.text)) return unit.gbps;
    }
    return std::nullopt;
  }

  bool says(std::string_view words) const { return rest_.find(words) != std::string_view::npos; }

 private:
  std::string_view rest_;
};

bool is_per_node(const Scanner& rest) {
  constexpr std::array<std::string_view, 6> words{"per node", "/node",        "a node",
                                                  "per VM",   "per instance", "per host"};
  return std::ranges::any_of(words, [&](std::string_view text) { return rest.says(text); });
}

}  // namespace

std::optional<double> adapter_gbps(std::string_view text, std::int64_t gpus_per_node) {
  const auto gpus = static_cast<double>(gpus_per_node);
  Scanner scan(text);
  while (!scan.at_end()) {
    if (!scan.at_digit()) {
      scan.skip();
      continue;
    }
    double value = scan.number();
    std::optional<double> count;
    if (scan.times()) {
      count = value;
      value = scan.number();
    }
    const std::optional<double> unit = scan.unit();
    if (!unit || value <= 0.0) continue;
    const double rate = value * *unit;
    if (count) return *count > 0.0 ? std::optional(*count * rate / gpus) : std::nullopt;
    return is_per_node(scan) ? rate / gpus : rate;
  }
  return std::nullopt;
}

}  // namespace cubicbench::datasets
