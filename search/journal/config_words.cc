#include "search/journal/config_words.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "search/journal/plain_line.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

/// Members that are tried after one before all are looked up.
constexpr std::size_t next_max = 12;
/// No member: the first one never follows another.
constexpr std::size_t none = 0;

bool is_end(char c) { return c == ',' || c == '}'; }

/// `"name":value` at the front of `rest`, up to the comma or brace behind it; "" where none is.
std::string_view member_of(std::string_view rest) {
  bool quoted = false;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"') quoted = !quoted;
    if (!quoted && is_end(rest[i])) return rest.substr(0, i);
  }
  return {};
}

/// The last bytes of a member, which ends in its value: `"":0` is the shortest.
std::uint32_t tail_of(std::string_view member) {
  std::uint32_t tail = 0;
  std::memcpy(&tail, member.data() + member.size() - sizeof tail, sizeof tail);
  return tail;
}

/// The number of a pair of texts, a new one at the end of all.
template <class Words, class Texts>
ConfigWord numbered(const std::string& name, const std::string& value, Words& words, Texts& texts) {
  const auto [known, is_new] =
      words.try_emplace({name, value}, static_cast<ConfigWord>(texts.size()));
  if (is_new) texts.emplace_back(name, value);
  return known->second;
}

std::string set_text(std::string json) {
  if (!json.starts_with('"')) return json;
  if (json.find('\\') == std::string::npos) return json.substr(1, json.size() - 2);
  return support::parse_json(json, "config").get<std::string>();
}

}  // namespace

/// A member is found much more quickly than a pair of texts.
ConfigWord ConfigWords::word(const std::string& name, const std::string& value) {
  constexpr std::string_view quotes = R"("":)";
  std::array<char, 96> text;  // most members are shorter
  const std::size_t size = name.size() + value.size() + quotes.size();
  if (size > text.size()) return numbered(name, value, words_, texts_);
  char* at = text.data();
  *at++ = quotes[0];
  at = std::ranges::copy(name, at).out;
  at = std::ranges::copy(quotes.substr(1), at).out;
  std::ranges::copy(value, at);
  const std::size_t member = known_or_new({text.data(), size});
  return member == none ? numbered(name, value, words_, texts_) : members_[member].word;
}

bool ConfigWords::take_object(std::string_view& line, std::vector<ConfigWord>& words) {
  if (!line.starts_with('{')) return false;
  ++configs_;
  const std::size_t kept = words.size();
  std::string_view rest = line.substr(1);
  std::size_t member = none;
  bool is_more = !rest.starts_with('}');
  while (is_more) {
    member = next_member(member, rest);
    const Member& taken = members_[member];
    if (member == none || last_of_name_[taken.name] == configs_) {
      words.resize(kept);
      return false;
    }
    last_of_name_[taken.name] = configs_;
    words.push_back(taken.word);
    rest.remove_prefix(taken.json.size());
    is_more = rest.front() == ',';
    if (is_more) rest.remove_prefix(1);
  }
  line = rest.substr(1);
  return true;
}

/// The member that `rest` begins with, which a comma or a brace follows.
std::size_t ConfigWords::next_member(std::size_t before, std::string_view rest) {
  for (const Follower& known : members_[before].next) {
    if (rest.size() <= known.size || !is_end(rest[known.size]) ||
        tail_of(rest.substr(0, known.size)) != known.tail) {
      continue;
    }
    if (rest.starts_with(members_[known.member].json)) return known.member;
  }
  const std::size_t found = known_or_new(member_of(rest));
  if (found != none) follow(before, found);
  return found;
}

/// Members with much text, or behind very many others, are looked up each time.
void ConfigWords::follow(std::size_t before, std::size_t member) {
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  std::vector<Follower>& next = members_[before].next;
  const std::string& json = members_[member].json;
  if (next.size() == next_max || member > most || json.size() > most) return;
  next.push_back({.tail = tail_of(json),
                  .size = static_cast<std::uint16_t>(json.size()),
                  .member = static_cast<std::uint16_t>(member)});
}

std::size_t ConfigWords::known_or_new(std::string_view json) {
  if (const auto known = by_json_.find(json); known != by_json_.end()) return known->second;
  const auto member = read_plain_member(json);
  if (!member) return none;
  const auto& [name, value] = *member;
  const std::size_t name_number = names_.try_emplace(name, names_.size()).first->second;
  last_of_name_.resize(names_.size(), 0);
  members_.push_back({.json = std::string(json),
                      .word = numbered(name, value, words_, texts_),
                      .name = name_number,
                      .next = {}});
  const std::size_t number = members_.size() - 1;
  by_json_.emplace(members_.back().json, number);
  return number;
}

ConfigText set_texts(ConfigText config) {
  for (auto& [name, value] : config) value = set_text(std::move(value));
  return config;
}

}  // namespace cubicbench::search
