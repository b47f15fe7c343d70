#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace cubicbench {

/// A block of code on a page of Markdown.
struct CodeBlock {
  std::string language;       ///< the word behind the fence; "" where there is none
  std::string note{};         ///< the comment in the line above: "test: Suite.Case"
  std::string text{};         ///< without the block's indentation, each line with its end
  std::size_t line = 0;       ///< where it begins
  bool is_indented = false;   ///< by four columns, without fences
  bool is_generated = false;  ///< between <!-- begin: KIND --> and <!-- end -->
};

/// Pages of Markdown of the repository: those at its top and those of docs/.
inline std::vector<std::filesystem::path> pages_of(const std::filesystem::path& repository) {
  namespace fs = std::filesystem;
  std::vector<fs::path> pages;
  for (const auto& entry : fs::directory_iterator(repository)) pages.push_back(entry.path());
  for (const auto& entry : fs::recursive_directory_iterator(repository / "docs")) {
    pages.push_back(entry.path());
  }
  std::erase_if(pages, [](const fs::path& path) { return path.extension() != ".md"; });
  std::ranges::sort(pages);
  return pages;
}

/// The text of a comment that fills its line; "" of any other line.
inline std::string comment_in(const std::string& line) {
  const std::string open = "<!-- ";
  const std::string close = " -->";
  const std::size_t begin = line.find(open);
  if (begin == std::string::npos || line.find_first_not_of(' ') != begin) return "";
  if (!line.ends_with(close)) return "";
  return line.substr(begin + open.size(), line.size() - begin - open.size() - close.size());
}

/// Reads the blocks of a page line by line.
class CodeBlockReader {
 public:
  void read(const std::string& line) {
    ++number_;
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(begin, 3, "```") == 0) {
      fence(line, begin);
    } else if (is_fenced_) {
      blocks_.back().text += line.substr(std::min(indentation_, begin)) + "\n";
    } else {
      plain(line, begin);
    }
    last_ = line;
  }

  std::vector<CodeBlock> take() { return std::move(blocks_); }

 private:
  void fence(const std::string& line, std::size_t begin) {
    is_fenced_ = !is_fenced_;
    is_indented_ = false;
    if (!is_fenced_) return;
    indentation_ = begin;
    open({.language = line.substr(begin + 3), .note = comment_in(last_)});
  }

  void plain(const std::string& line, std::size_t begin) {
    const std::string comment = comment_in(line);
    if (comment.starts_with("begin: ")) is_generated_ = true;
    if (comment == "end") is_generated_ = false;
    constexpr std::size_t columns = 4;
    if (begin == line.size()) {
      gap_ += "\n";
    } else if (begin < columns) {
      is_indented_ = false;
      gap_.clear();
    } else {
      if (is_indented_) {
        blocks_.back().text += gap_;
      } else if (last_.empty()) {
        open({.language = "", .is_indented = true});
        is_indented_ = true;
      }
      gap_.clear();
      if (is_indented_) blocks_.back().text += line.substr(columns) + "\n";
    }
  }

  void open(CodeBlock block) {
    block.line = number_;
    block.is_generated = is_generated_;
    blocks_.push_back(std::move(block));
  }

  std::vector<CodeBlock> blocks_;
  std::string last_;
  std::string gap_;  ///< empty lines that are of an indented block if it continues behind them
  std::size_t number_ = 0;
  std::size_t indentation_ = 0;
  bool is_fenced_ = false;
  bool is_indented_ = false;
  bool is_generated_ = false;
};

inline std::vector<CodeBlock> code_blocks(const std::string& page) {
  CodeBlockReader reader;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) reader.read(line);
  return reader.take();
}

/// The lines of a build machine's YAML that run the program, as steps or in a list.
inline std::string commands_of_yaml(const std::string& yaml) {
  std::string commands;
  std::istringstream text(yaml);
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find_first_not_of(" -");
    if (begin == std::string::npos) continue;
    if (line.compare(begin, 11, "cubicbench ") == 0) commands += line.substr(begin) + "\n";
  }
  return commands;
}

}  // namespace cubicbench
