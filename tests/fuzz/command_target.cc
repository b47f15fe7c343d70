// A command line. Seeds are the lines of tests/recorded_commands.txt that need no shell.
#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "support/files.h"
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

/// What takes seconds when all is well, reads standard input, or starts other programs.
constexpr std::array left_out{"paper",           "serve",    "calibrate", "landscape",
                              "suite",           "family",   "validate",  "predict",
                              "report",          "405b",     "73b",       "gpt3",
                              "lesson",          "command:", "external:", "--ablation",
                              "enumerate llama", "--dry-run"};

/// Options whose number is how much there is to do.
constexpr std::array amounts{"--trials", "--seeds", "--instances", "--jobs",
                             "--ranks",  "--size",  "--best-of"};
constexpr std::size_t digits_max = 3;

bool takes_long(const std::string& line) {
  if (std::ranges::any_of(left_out,
                          [&](const char* word) { return line.find(word) != std::string::npos; }))
    return true;
  return std::ranges::any_of(amounts, [&](const char* option) {
    for (std::size_t at = 0; (at = line.find(option, at)) != std::string::npos;) {
      at += std::string_view(option).size();
      const std::size_t end = std::min(line.find(" --", at), line.size());
      std::size_t digits = 0;
      for (; at < end; ++at) {
        digits = line[at] >= '0' && line[at] <= '9' ? digits + 1 : 0;
        if (digits > digits_max) return true;
      }
    }
    return false;
  });
}

/// Only a path into another folder, and a name that is too long, can be where nothing is written.
bool may_be_unwritable(const std::string& word) {
  constexpr std::size_t name_max = 200;  // of a file that is made beside it, too
  return word.size() > name_max || word.find('/') != std::string::npos;
}

const std::vector<std::string>& recorded() {
  static const std::vector<std::string> lines = [] {
    std::istringstream text(support::read_file(std::filesystem::path(CUBICBENCH_SOURCE_DIR) /
                                               "tests/recorded_commands.txt"));
    std::vector<std::string> found;
    for (std::string line; std::getline(text, line);) {
      const std::string start = ": cubicbench ";
      const std::size_t at = line.find(start);
      if (line.starts_with('#') || at == std::string::npos) continue;
      const std::string words = line.substr(at + start.size());
      if (words.find_first_of(";|$<>`\"'") != std::string::npos || takes_long(words)) continue;
      found.push_back(words);
    }
    if (found.empty()) broken("there are no recorded commands");
    return found;
  }();
  return lines;
}

Parts seed(std::size_t number) { return {recorded()[number]}; }

void run(const Parts& parts) {
  // Arguments hold no NUL.
  if (takes_long(parts[0]) || parts[0].find('\0') != std::string::npos) return;
  const std::filesystem::path before = std::filesystem::current_path();
  // Deep enough that `../..` stays within.
  const std::filesystem::path folder = fresh_folder() / "a/b/c";
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(folder);
  std::vector<std::string> args;
  std::istringstream words(parts[0]);
  for (std::string word; words >> word;) args.push_back(word);
  checked(args, std::ranges::any_of(args, may_be_unwritable));
  std::filesystem::current_path(before);
}

}  // namespace

Target command_target() {
  return {.name = "command",
          .forms = {Form::words},
          .seed = seed,
          .seeds = recorded().size(),
          .run = run};
}

}  // namespace cubicbench::fuzz
