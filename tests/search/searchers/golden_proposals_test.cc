// What every searcher proposes, number by number. A new searcher needs a golden as soon as it is
// registered: UPDATE_GOLDEN=1 writes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "search/permuted/permuted_searcher.h"
#include "search/searchers/registry.h"
#include "support/json/canonical.h"
#include "support/permutation.h"
#include "tests/golden_files.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

/// Worth more the nearer it is to the third value of every parameter; some run out of memory.
ToldTrial made_up_outcome(std::int64_t trial, const Configuration& config) {
  ToldTrial outcome = told(trial, config);
  double score = 0.0;
  for (std::size_t i = 0; i < config.size(); ++i) {
    const auto away = static_cast<double>(config[i] - 2);
    score -= static_cast<double>(i + 1) * away * away;
  }
  if (config.front() == 3 && trial % 3 != 0) {
    outcome.state = scenarios::TrialState::fail;
    outcome.reason = scenarios::Reason::oom_late;
    outcome.over_bytes = -1e9 * score;
  } else {
    outcome.score = score;
  }
  return outcome;
}

std::string options_text(const SearcherEntry& entry) {
  std::string text;
  for (const SearcherOption& option : entry.options) {
    text += "option " + std::string(option.name) + " " + support::shortest(option.otherwise) +
            " in [" + support::shortest(option.min) + ", " + support::shortest(option.max) + "]\n";
  }
  return text;
}

/// The numbers of the configurations that are proposed, of short launches with their fidelity, a
/// line.
std::string text_of(const std::vector<Proposal>& proposals, const SearchSpace& space) {
  std::string text;
  for (const Proposal& proposal : proposals) {
    text += " " + std::to_string(space.number_of(proposal.config));
    if (proposal.fidelity < whole_launch) text += "@" + support::shortest(proposal.fidelity);
  }
  return text + "\n";
}

constexpr std::int64_t trials = 70;

std::string proposals_text(const std::string& searcher, const SearchSpace& space,
                           std::size_t slots) {
  return text_of(drive_proposals(*make(searcher, space, 7, trials), trials, made_up_outcome, slots),
                 space);
}

/// Of a study whose trial 0 is the space's first configuration.
std::string granted_text(const std::string& text, const SearchSpace& space) {
  Configuration first(space.size());
  space.configuration_at(0, first);
  const auto searcher = make(text, space, 7, trials, first);
  searcher->tell(made_up_outcome(0, first));
  const auto after_it = [](std::int64_t trial, const Configuration& config) {
    return made_up_outcome(trial + 1, config);
  };
  return text_of(drive_proposals(*searcher, trials - 1, after_it), space);
}

std::string golden_of(const SearcherEntry& entry) {
  std::vector<std::string> texts{quick_text(entry.name)};
  for (const std::string& text : further_texts()) {
    if (parse_searcher(text, "test").name == entry.name) texts.push_back(text);
  }
  const std::vector<std::pair<std::string, SearchSpace>> spaces{{"conditional", conditional()},
                                                                {"labelled", labelled()},
                                                                {"listed", listed()},
                                                                {"wide box", wide_box()}};
  std::string golden = options_text(entry);
  for (const std::string& text : texts) {
    for (const auto& [name, space] : spaces) {
      const std::string on = " on " + name + ":";
      golden += text + on + proposals_text(text, space, 1);
      golden += text + ", 3 slots," + on + proposals_text(text, space, 3);
      const std::string permuted = text + std::string(permuted_mark);
      golden += permuted + on + proposals_text(permuted, space, 1);
      golden += text + ", granted the first," + on + granted_text(text, space);
    }
  }
  return golden;
}

TEST(GoldenProposals, OfEverySearcher) {
  for (const SearcherEntry& entry : searchers()) {
    if (entry.needs_known) continue;  // it proposes nothing by itself
    expect_golden("searchers/" + std::string(entry.name) + ".txt", golden_of(entry));
  }
}

TEST(GoldenProposals, OfThePermutationOfASpace) {
  std::string golden;
  for (const std::uint64_t count :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{12},
        std::uint64_t{1000}, (std::uint64_t{1} << 40) + 1, ~std::uint64_t{0}}) {
    for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
      const support::Permutation permutation(count, key);
      golden += std::to_string(count) + " by key " + std::to_string(key) + ":";
      for (std::uint64_t i = 0; i < std::min(count, std::uint64_t{12}); ++i) {
        golden += " " + std::to_string(permutation(i));
      }
      golden += "\n";
    }
  }
  expect_golden("permutation.txt", golden);
}

/// The parameters of a permuted space with their values, each in the order in which it has them.
std::string order_text(const SearchSpace& space) {
  std::string text;
  for (const scenarios::Parameter& parameter : space.parameters()) {
    text += " " + std::string(parameter.setting->name);
    for (const std::int64_t value : parameter.values) text += " " + std::to_string(value);
    text += ";";
  }
  return text + "\n";
}

TEST(GoldenProposals, OfTheOrdersOfPermutedSpaces) {
  std::string golden;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const std::uint64_t key = permutation_key(std::string(64, 'a'), seed);
    golden += "key " + std::to_string(key) + "\n";
    for (const SearchSpace& space : {labelled(), conditional()}) {
      golden += "categories:" + order_text(PermutedSpace(space, key).space());
      golden += "everything:" + order_text(PermutedSpace(space, key, Shuffled::everything).space());
    }
  }
  expect_golden("permuted_spaces.txt", golden);
}

}  // namespace
}  // namespace cubicbench::search
