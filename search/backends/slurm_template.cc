#include "search/backends/slurm_template.h"

#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/files.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;
using support::InputError;

/// An option of sbatch by its two names.
struct SbatchOption {
  std::string_view name;
  std::string_view letter;
};

constexpr SbatchOption time_option{"--time", "-t"};
constexpr std::array<SbatchOption, 4> refused_options{
    SbatchOption{"--array", "-a"}, SbatchOption{"--clusters", "-M"}, SbatchOption{"--wait", "-W"},
    SbatchOption{"--test-only", ""}};

constexpr double seconds_max = 30.0 * 86'400.0;

/// The words of a line; sbatch ends its options at a '#' that begins one.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word && !word.starts_with('#');) words.push_back(word);
  return words;
}

bool names(std::string_view word, const SbatchOption& option) {
  if (word == option.name) return true;
  if (word.starts_with(option.name) && word[option.name.size()] == '=') return true;
  return !option.letter.empty() && word.starts_with(option.letter);
}

/// Of one line: what comes after the marker, and where it stands.
struct Directive {
  std::vector<std::string> words;
  std::string where;
};

void read_sbatch(const Directive& line, SlurmTemplate& script,
                 std::vector<support::Problem>& problems) {
  for (const std::string& word : line.words) {
    script.has_time_limit = script.has_time_limit || names(word, time_option);
    for (const SbatchOption& option : refused_options) {
      if (!names(word, option)) continue;
      support::add_problem(problems, {line.where, "expected no " + std::string(option.name) +
                                                      ": one launch is one job, which the suite "
                                                      "submits and waits for"});
    }
  }
}

/// The number of seconds in `--NAME=SECONDS`.
std::optional<milliseconds> seconds_in(std::string_view word, std::string_view name) {
  const std::string prefix = "--" + std::string(name) + "=";
  if (!word.starts_with(prefix)) return std::nullopt;
  const std::optional<double> seconds = support::parsed<double>(word.substr(prefix.size()));
  if (!seconds || !(*seconds > 0.0 && *seconds <= seconds_max)) return std::nullopt;
  return milliseconds(static_cast<std::int64_t>(std::ceil(*seconds * 1000.0)));
}

void read_own(const Directive& line, SlurmTemplate& script,
              std::vector<support::Problem>& problems) {
  for (const std::string& word : line.words) {
    const auto poll = seconds_in(word, "poll");
    const auto patience = seconds_in(word, "patience");
    const auto pending = seconds_in(word, "pending-limit");
    script.poll = poll.value_or(script.poll);
    script.patience = patience.value_or(script.patience);
    if (pending) script.pending_limit = pending;
    if (poll || patience || pending) continue;
    support::add_problem(problems, {line.where,
                                    "expected --poll=SECONDS, --patience=SECONDS or "
                                    "--pending-limit=SECONDS, above 0 and up to 30 days, got " +
                                        support::in_quotes(support::shortened(word))});
  }
}

/// As sbatch does, up to the first line that is a command.
void read_directives(const std::string& path, const std::string& text, SlurmTemplate& script,
                     std::vector<support::Problem>& problems) {
  constexpr std::string_view sbatch = "#SBATCH";
  constexpr std::string_view own = "#CUBICBENCH";
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos && line[begin] != '#') return;
    const std::string where = path + ":" + std::to_string(number);
    if (line.starts_with(sbatch)) {
      read_sbatch({words_of(line.substr(sbatch.size())), where}, script, problems);
    } else if (line.starts_with(own)) {
      read_own({words_of(line.substr(own.size())), where}, script, problems);
    }
  }
}

}  // namespace

SlurmTemplate read_slurm_template(const std::string& path, const std::string& where) {
  const std::string text = support::read_file(path);
  if (!text.starts_with("#!")) {
    throw InputError(where, "expected slurm:TEMPLATE, a script that starts with #!, got " +
                                support::in_quotes(support::shortened(path)) +
                                ", which starts otherwise");
  }
  SlurmTemplate script;
  std::error_code error;
  script.path = std::filesystem::absolute(path, error);
  if (error) throw support::OutputError("no working folder: " + error.message());
  std::vector<support::Problem> problems;
  read_directives(path, text, script, problems);
  support::throw_if_any(problems);
  return script;
}

}  // namespace cubicbench::search
