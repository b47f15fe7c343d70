#include "cli/requests/comparison_rounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include "cli/terminal/shell_command.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "results/comparison/compared_side.h"
#include "results/comparison/comparison_document.h"
#include "results/comparison/reference_side.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

results::GivenSpaces spaces_of(const ComparisonRequest& asked) {
  Problems problems;
  results::GivenSpaces given;
  for (const std::string& file : asked.optima) {
    gathered(problems,
             [&] { given.push_back({.space = datasets::read_enumeration(file), .file = file}); });
  }
  support::throw_if_any(problems);
  return given;
}

std::optional<std::string> searcher_of(const ComparisonRequest& asked, std::size_t side) {
  if (asked.searchers.empty()) return std::nullopt;
  return asked.searchers[std::min(side, asked.searchers.size() - 1)];
}

results::ComparedSide side_of(const ComparisonRequest& asked, const results::GivenSpaces& given,
                              std::size_t side) {
  const std::string& name = side == 0 ? asked.baseline : asked.candidate;
  if (results::is_reference(name)) return results::read_reference(name);
  return results::read_side(
      {.folder = name, .searcher = searcher_of(asked, side), .threads = asked.global.threads},
      given);
}

void say(const ComparisonRequest& asked, const std::string& text) {
  if (!asked.global.quiet) std::cerr << "cubicbench: " + text + "\n" << std::flush;
}

/// Seeds of the side's first problem, of which the others have the same.
const std::map<std::int64_t, results::StudyNumbers>& seeds_of(const results::ComparedSide& side) {
  return side.problems.front().seeds;
}

/// The comparison once the candidate's folder is there, made by --run if that is asked for.
results::Comparison compared_once(const ComparisonRequest& asked,
                                  const results::GivenSpaces& given) {
  const results::ComparedSide baseline = side_of(asked, given, 0);
  if (asked.run) {
    const auto& seeds = seeds_of(baseline);
    run_shell_command(filled_run(*asked.run, asked.candidate, seeds.begin()->first,
                                 static_cast<std::int64_t>(seeds.size())),
                      "--run");
  }
  return results::compare(baseline, side_of(asked, given, 1), asked.terms);
}

/// Searches the next seeds into a folder of their own within the candidate's.
void run_round(const ComparisonRequest& asked, std::int64_t first, std::int64_t seeds) {
  const std::filesystem::path folder(asked.candidate);
  support::make_folders(folder);
  const std::string name =
      "seeds-" + std::to_string(first) + "-" + std::to_string(first + seeds - 1);
  run_shell_command(filled_run(*asked.run, folder / name, first, seeds), "--run");
}

/// Rounds of seeds until the verdict is known, or there are no more.
results::Comparison compared_in_rounds(const ComparisonRequest& asked,
                                       const results::GivenSpaces& given) {
  const results::ComparedSide baseline = side_of(asked, given, 0);
  const std::int64_t first = seeds_of(baseline).begin()->first;
  const std::int64_t known = std::ssize(seeds_of(baseline));
  if (*asked.max_seeds > known) {
    throw support::InputError("--max-seeds", "expected at most " + std::to_string(known) +
                                                 ", the seeds of " + asked.baseline + ", got " +
                                                 std::to_string(*asked.max_seeds));
  }
  results::Terms terms = asked.terms;
  terms.anytime = true;
  std::int64_t done = 0;
  if (std::filesystem::exists(asked.candidate)) {
    done = std::ssize(seeds_of(side_of(asked, given, 1)));
  }
  while (true) {
    if (done > 0) {
      results::Comparison comparison = results::compare(baseline, side_of(asked, given, 1), terms);
      say(asked, results::verdict_sentence(comparison));
      const bool is_decided = comparison.verdict != results::Verdict::undecided;
      if (is_decided || done >= *asked.max_seeds) return comparison;
    }
    const std::int64_t more = results::next_round(done, *asked.max_seeds, terms.alpha);
    run_round(asked, first + done, more);
    done += more;
  }
}

}  // namespace

results::Comparison compared(const ComparisonRequest& asked) {
  const results::GivenSpaces given = spaces_of(asked);
  return asked.until_decided ? compared_in_rounds(asked, given) : compared_once(asked, given);
}

}  // namespace cubicbench::cli
