#include "tests/fuzz/json_mutation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace cubicbench::fuzz {
namespace {

using Json = nlohmann::ordered_json;

/// A value and, where it stands in an object, its key.
struct Node {
  Json* value = nullptr;
  Json* parent = nullptr;
  std::string key;  ///< "" in a list
};

void collect(Json& value, Json* parent, const std::string& key, std::vector<Node>& nodes) {
  nodes.push_back({&value, parent, key});
  if (value.is_object()) {
    for (auto& [name, inner] : value.items()) collect(inner, &value, name, nodes);
  } else if (value.is_array()) {
    for (Json& inner : value) collect(inner, &value, "", nodes);
  }
}

std::vector<Node> nodes_of(Json& document) {
  std::vector<Node> nodes;
  collect(document, nullptr, "", nodes);
  return nodes;
}

/// Deeper ones would overflow our own stack: what is written walks them by recursion.
constexpr int depth_max = 500;

int depth_of(const std::string& text) {
  int depth = 0;
  int most = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') most = std::max(most, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return most;
}

Json parsed(const std::string& text) { return Json::parse(text, nullptr, false); }

/// A node of some donor: mostly one of that key, where there is one.
std::pair<std::string, Json> donated(const std::vector<std::string>& donors, const std::string& key,
                                     Dice& dice) {
  if (donors.empty()) return {key, odd_value(dice)};
  Json donor = parsed(donors[dice.below(donors.size())]);
  if (donor.is_discarded()) return {key, odd_value(dice)};
  std::vector<Node> nodes = nodes_of(donor);
  std::vector<Node> fitting;
  for (const Node& node : nodes) {
    if (node.key == key) fitting.push_back(node);
  }
  const Node& taken = fitting.empty() || dice.once_in(4) ? dice.any(nodes) : dice.any(fitting);
  return {taken.key, *taken.value};
}

void move_number(Json& value, Dice& dice) {
  if (value.is_number_integer()) {
    const auto old = value.get<std::int64_t>();
    const std::array<std::int64_t, 8> others{
        old / 2, 0, -1, 1, INT32_MAX, std::int64_t{1} << 53, INT64_MAX, INT64_MIN};
    const std::size_t which = dice.below(others.size() + 3);
    // Of a number that cannot be added to, the next is the last.
    if (which < others.size())
      value = others[which];
    else if (old < INT32_MAX && old > INT32_MIN)
      value = which % 2 == 0 ? old + 1 : old * 2;
  } else {
    const double old = value.get<double>();
    const std::array others{old * 2.0, -old, old * 1e30, old * 1e-30, 0.0};
    value = others[dice.below(others.size())];
  }
}

void lose(const Node& node, Dice& dice) {
  if (node.parent == nullptr) {
    *node.value = odd_value(dice);
  } else if (node.parent->is_object()) {
    node.parent->erase(node.key);
  } else {
    node.parent->erase(node.parent->begin() +
                       static_cast<std::ptrdiff_t>(dice.below(node.parent->size())));
  }
}

void repeat(const Node& node, Dice& dice) {
  if (!node.value->is_array() || node.value->empty()) return;
  const std::array<std::size_t, 4> times{1, 2, 30, 300};
  const Json element = (*node.value)[dice.below(node.value->size())];
  for (std::size_t i = dice.any(times); i > 0; --i) node.value->push_back(element);
}

void rename(const Node& node, const std::vector<std::string>& donors, Dice& dice) {
  if (node.parent == nullptr || !node.parent->is_object()) return;
  Json value = *node.value;
  const std::string name = dice.once_in(3) ? node.key + "s" : donated(donors, "", dice).first;
  node.parent->erase(node.key);
  (*node.parent)[name] = std::move(value);
}

void nest(Json& value, Dice& dice) {
  const std::array<int, 3> depths{1, 63, 200};
  for (int i = dice.any(depths); i > 0; --i) value = Json::array({std::move(value)});
}

void change(Json& document, const std::vector<std::string>& donors, Dice& dice) {
  std::vector<Node> nodes = nodes_of(document);
  const Node node = dice.any(nodes);
  switch (dice.below(10)) {
    case 0:
      *node.value = odd_value(dice);
      break;
    case 1:
      return lose(node, dice);
    case 2:
      return repeat(node, dice);
    case 3:
      return rename(node, donors, dice);
    case 4:
      if (node.value->is_object()) {
        auto [key, value] = donated(donors, "", dice);
        (*node.value)[key] = std::move(value);
      }
      break;
    case 5: {
      // Copies: of two nodes one may hold the other.
      const Node other = dice.any(nodes);
      const Json value = *other.value;
      *node.value = value;
      break;
    }
    case 6:
      if (dice.once_in(10)) nest(*node.value, dice);
      break;
    case 7:
    case 8:
      if (node.value->is_number()) move_number(*node.value, dice);
      break;
    default:
      *node.value = donated(donors, node.key, dice).second;
  }
}

}  // namespace

Json odd_value(Dice& dice) {
  static const std::vector<Json> values{
      nullptr,
      true,
      Json::array(),
      Json::object(),
      0,
      -1,
      1,
      255,
      65537,
      std::int64_t{1} << 31,
      (std::int64_t{1} << 53) + 1,
      std::numeric_limits<std::int64_t>::max(),
      std::numeric_limits<std::int64_t>::min(),
      std::numeric_limits<std::uint64_t>::max(),
      0.5,
      -0.0,
      1e-300,
      5e-324,
      1e300,
      1.7e308,
      1e18,
      "",
      " ",
      "none",
      "..",
      "../../x",
      "/dev/full",
      "a b\nc",
      "\x1b[31m",
      "\u202e",
      "\u00e9\u6f22",
      "name,with\"quotes",
      std::string(300, 'x'),
      std::string(1, '\0'),
  };
  return values[dice.below(values.size())];
}

std::string bytes_changed(std::string text, Dice& dice) {
  using namespace std::string_view_literals;  // of a text that begins with a NUL
  static constexpr std::string_view likely = "\0\xff\xc3\n\r\t \"\\{}[](),:;.-+eE0919%=<>/*#'"sv;
  if (text.empty()) return std::string(1, likely[dice.below(likely.size())]);
  const std::size_t at = dice.below(text.size());
  switch (dice.below(5)) {
    case 0:
      text.erase(at, 1 + dice.below(dice.once_in(4) ? text.size() : 4));
      break;
    case 1:
      text.insert(at, 1, likely[dice.below(likely.size())]);
      break;
    case 2:
      text[at] = likely[dice.below(likely.size())];
      break;
    case 3:
      text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
      break;
    default: {
      const std::string piece = text.substr(at, 1 + dice.below(64));
      const std::size_t to = dice.below(text.size());
      for (std::size_t i = dice.once_in(8) ? 1000 : 1; i > 0; --i) text.insert(to, piece);
    }
  }
  return text;
}

std::string json_changed(const std::string& text, const std::vector<std::string>& donors,
                         Dice& dice) {
  if (dice.once_in(12) || depth_of(text) > depth_max) return bytes_changed(text, dice);
  Json document = parsed(text);
  if (document.is_discarded()) return bytes_changed(text, dice);
  change(document, donors, dice);
  return document.dump(-1, ' ', false, Json::error_handler_t::ignore);
}

}  // namespace cubicbench::fuzz
