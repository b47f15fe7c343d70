#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

using scenarios::ConfigText;

/// A setting with a value, by its number in a ConfigWords.
using ConfigWord = std::uint32_t;

/// Settings with their values, each pair once: a million launches have a few hundred of them, so a
/// configuration is kept as the list of their numbers. Numbers depend on what was met first and go
/// into no output. Not to be shared by threads while it grows.
class ConfigWords {
 public:
  ConfigWords() = default;
  ConfigWords(const ConfigWords&) = delete;
  ConfigWords& operator=(const ConfigWords&) = delete;

  /// `value` is JSON, as journals have it.
  ConfigWord word(const std::string& name, const std::string& value);

  const std::pair<std::string, std::string>& text(ConfigWord word) const { return texts_[word]; }

  /// Takes the configuration, an object of JSON as journals have it, off the front of `line` and
  /// appends its words. False, with nothing taken, of one that is not in the plain form of
  /// search/journal/plain_line.h or has a name twice, which is for the reader of any JSON.
  bool take_object(std::string_view& line, std::vector<ConfigWord>& words);

 private:
  /// A member that was seen after another, with what tells most members apart, so that those that
  /// are tried in vain are not looked at.
  struct Follower {
    std::uint32_t tail = 0;    ///< the last four bytes of its text
    std::uint16_t size = 0;    ///< of its text
    std::uint16_t member = 0;  ///< its number
  };

  /// `"name":value` as journals have it.
  struct Member {
    std::string json;
    ConfigWord word = 0;
    std::size_t name = 0;        ///< number of the name
    std::vector<Follower> next;  ///< a few
  };

  std::size_t next_member(std::size_t before, std::string_view rest);
  std::size_t known_or_new(std::string_view json);
  void follow(std::size_t before, std::size_t member);

  std::deque<std::pair<std::string, std::string>> texts_;
  std::map<std::pair<std::string, std::string>, ConfigWord> words_;
  std::unordered_map<std::string, std::size_t> names_;
  std::deque<Member> members_{1};  ///< the first stands for the beginning of a configuration
  std::unordered_map<std::string_view, std::size_t> by_json_;  ///< views of `members_`
  std::vector<std::uint64_t> last_of_name_;  ///< the last configuration that had it
  std::uint64_t configs_ = 0;                ///< that were taken, or tried
};

/// A configuration whose values are JSON with them as `--set` takes them: strings lose their
/// quotes.
ConfigText set_texts(ConfigText config);

}  // namespace cubicbench::search
