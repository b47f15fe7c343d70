#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.h"

namespace cubicbench::search {

/// The options that a release has, with the values of those that are a choice. Lines of
/// tests/search/launch/options/NAME.txt: an option a line, `A|B|C` behind it; `#` begins a remark.
class OptionList {
 public:
  explicit OptionList(const std::string& launcher) {
    std::istringstream text(support::read_file(std::filesystem::path(CUBICBENCH_SOURCE_DIR) /
                                               "tests/search/launch/options" /
                                               (launcher + ".txt")));
    for (std::string line; std::getline(text, line);) {
      if (line.empty() || line.starts_with('#')) continue;
      const std::size_t space = line.find(' ');
      std::vector<std::string>& values = values_[line.substr(0, space)];
      if (space == std::string::npos) continue;
      std::istringstream choices(line.substr(space + 1));
      for (std::string value; std::getline(choices, value, '|');) values.push_back(value);
    }
  }

  std::size_t size() const { return values_.size(); }
  bool has(const std::string& option) const { return values_.contains(option); }

  /// Does the option take the value? One that is no choice takes any.
  bool takes(const std::string& option, const std::string& value) const {
    const std::vector<std::string>& known = values_.at(option);
    return known.empty() || std::find(known.begin(), known.end(), value) != known.end();
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace cubicbench::search
