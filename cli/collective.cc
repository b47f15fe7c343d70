#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/dataset_verbs.h"
#include "cli/engine_option.h"
#include "cli/message_sizes.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "results/document/terminal.h"
#include "results/tables/collective_table.h"
#include "scenarios/collective/asked_cluster.h"
#include "scenarios/collective/collective_names.h"
#include "scenarios/collective/collective_play.h"
#include "scenarios/collective/collective_question.h"
#include "scenarios/readers/network_reader.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/json_document.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

constexpr std::int64_t ranks_max = 131'072;

/// Other names of operations: those of nccl-tests, MPI and our own.
struct OtherName {
  std::string_view name;
  sim::Collective op;
};
constexpr std::array other_names{OtherName{"all_to_all", sim::Collective::all_to_all},
                                 OtherName{"allreduce", sim::Collective::all_reduce},
                                 OtherName{"allgather", sim::Collective::all_gather},
                                 OtherName{"send_recv", sim::Collective::send_receive}};

/// What the command line asks for.
struct Asked {
  sim::Collective op = sim::Collective::all_reduce;
  std::vector<double> sizes;
  bool range = false;
  scenarios::AskedCluster cluster;
  scenarios::AskedGroups groups;
  std::optional<sim::Algorithm> algorithm;
  EngineOptions engine;
};

void declare(CLI::App& app) {
  declare_value(app, "--op", "OP",
                "all_reduce, all_gather, reduce_scatter, alltoall,\nbroadcast or sendrecv (each "
                "to the next)");
  declare_value(
      app, "--size", "S",
      "Bytes as nccl-tests counts them: 8M, 1.5g or 1e9, or a\nrange as its -b, -e and -f: 1K:8G "
      "doubles, 1K:8G:4 goes\non fourfold. M and MiB are 2^20; MB is 10^6, which\nnccl-tests reads "
      "as M. The gathered buffer of\nall_gather, the input of reduce_scatter, else the\nbuffer of "
      "a rank; of an all-to-all with unequal parts\nthat of the busiest rank");
  declare_value(app, "--cluster", "NAME",
                "A network or a scenario of the library, or a path with a\n'/' to one");
  declare_value(app, "--ranks", "N", "GPUs of the group");
  declare_value(app, "--per-domain", "R",
                "How many of them share a node or an NVLink domain\n(default: as many as it has)");
  declare_value(app, "--groups", "K", "Equal groups side by side, at once (default: 1)");
  declare_value(app, "--placement", "P",
                "packed, scattered or partly_used: which nodes of the\ncluster they get (default: "
                "as the scenario says, else\npacked)");
  declare_value(app, "--algorithm", "A",
                "Take this one and not the cheapest: " +
                    std::string("ring, tree, nvls,\nnvls_tree, in_network, pat, "
                                "recursive_doubling,\nhierarchical or direct"));
  declare_engine(app, EngineScope::collective);
}

std::string in_words(std::span<const std::string_view> names) {
  return support::joined(std::vector<std::string>(names.begin(), names.end()), ", ");
}

std::string required(const CLI::App& app, const std::string& name, const std::string& expected) {
  const std::optional<std::string> value = value_of(app, name);
  if (!value) throw InputError(name, "expected " + expected + ", got nothing");
  return *value;
}

/// Index of `word` among `names`.
std::size_t choice(const std::string& word, const std::string& option,
                   std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError(option, "expected one of " + in_words(names) + ", got " + in_quotes(word) +
                               support::did_you_mean(word, names));
}

sim::Collective op_of(const CLI::App& app) {
  const auto names = scenarios::collective_names();
  const std::string word = required(app, "--op", "one of " + in_words(names));
  const auto other = std::ranges::find(other_names, word, &OtherName::name);
  if (other != other_names.end()) return other->op;
  return static_cast<sim::Collective>(choice(word, "--op", names));
}

scenarios::AskedGroups groups_of(const CLI::App& app) {
  required(app, "--ranks", "N");
  scenarios::AskedGroups groups;
  groups.ranks = *integer_of(app, "--ranks", 2, ranks_max);
  groups.groups = integer_of(app, "--groups", 1, ranks_max).value_or(1);
  groups.ranks_per_domain = integer_of(app, "--per-domain", 1, ranks_max).value_or(0);
  if (const auto word = value_of(app, "--placement")) {
    groups.placement =
        static_cast<sim::Placement>(choice(*word, "--placement", scenarios::placement_names()));
  }
  return groups;
}

/// A group has as many members in each of its domains.
void check_full_domains(const Asked& asked) {
  const std::int64_t ranks = asked.groups.ranks;
  const std::int64_t per_domain = scenarios::ranks_per_domain(asked.groups, asked.cluster);
  const std::int64_t below = ranks / per_domain * per_domain;
  if (below == ranks) return;
  throw InputError("--ranks",
                   "expected a multiple of the " + std::to_string(per_domain) +
                       " in each domain (--per-domain), such as " + std::to_string(below) + " or " +
                       std::to_string(below + per_domain) + ", got " + std::to_string(ranks));
}

void check_room(const Asked& asked) {
  const scenarios::AskedGroups& groups = asked.groups;
  const std::int64_t gpus = asked.cluster.gpus == 0 ? ranks_max : asked.cluster.gpus;
  if (groups.ranks * groups.groups > gpus) {
    throw InputError(groups.groups > 1 ? "--groups" : "--ranks",
                     "expected at most " + std::to_string(gpus) + " GPUs in all, got " +
                         std::to_string(groups.ranks * groups.groups));
  }
  const std::int64_t domain = asked.cluster.gpus_per_domain;
  if (groups.ranks_per_domain > std::min(domain, groups.ranks)) {
    throw InputError("--per-domain", "expected at most " +
                                         std::to_string(std::min(domain, groups.ranks)) + ", got " +
                                         std::to_string(groups.ranks_per_domain));
  }
  check_full_domains(asked);
}

Asked read_asked(const CLI::App& app) {
  std::vector<support::Problem> problems;
  Asked asked;
  gathered(problems, [&] { return global_options(app); });
  asked.engine = gathered(problems, [&] { return engine_options(app, EngineScope::collective); });
  asked.op = gathered(problems, [&] { return op_of(app); });
  asked.sizes = gathered(problems, [&] {
    return message_sizes(required(app, "--size", "a size such as 8M"), "--size");
  });
  asked.range = value_of(app, "--size").value_or("").find(':') != std::string::npos;
  asked.cluster = gathered(problems, [&] {
    return scenarios::read_asked_cluster(required(app, "--cluster", "a network or a scenario"),
                                         "--cluster");
  });
  asked.groups = gathered(problems, [&] { return groups_of(app); });
  if (const auto word = value_of(app, "--algorithm")) {
    asked.algorithm = gathered(problems, [&] {
      return static_cast<sim::Algorithm>(
          choice(*word, "--algorithm", scenarios::algorithm_names()));
    });
  }
  support::throw_if_any(problems);
  check_room(asked);
  return asked;
}

/// What the group could run instead, each on its own.
[[noreturn]] void refuse_algorithm(const Asked& asked, const sim::Group& group) {
  std::vector<std::string> possible;
  for (std::size_t i = 0; i < sim::algorithm_count; ++i) {
    const auto algorithm = static_cast<sim::Algorithm>(i);
    if (scenarios::answer(asked.op, asked.sizes.front(), group, asked.cluster.network, algorithm)) {
      possible.emplace_back(scenarios::name_of(algorithm));
    }
  }
  throw InputError("--algorithm", "expected one that this group can run (" +
                                      support::joined(possible, ", ") + "), got " +
                                      in_quotes(std::string(scenarios::name_of(*asked.algorithm))));
}

/// Puts the answers of the event engine in place of those of the closed forms.
void play(const Asked& asked, results::CollectiveTable& table) {
  scenarios::CollectivePlay links(asked.groups, asked.cluster, "--cluster");
  for (scenarios::CollectiveAnswer& answer : table.answers) {
    answer = links.play(answer, asked.engine.contention);
  }
}

Reply answer(const CLI::App& app, results::Ink) {
  const Asked asked = read_asked(app);
  results::CollectiveTable table{.cluster = asked.cluster.name,
                                 .group = scenarios::group_of(asked.groups, asked.cluster),
                                 .groups = asked.groups.groups,
                                 .range = asked.range,
                                 .answers = {}};
  for (const double size : asked.sizes) {
    const auto said =
        scenarios::answer(asked.op, size, table.group, asked.cluster.network, asked.algorithm);
    if (!said) refuse_algorithm(asked, table.group);
    table.answers.push_back(*said);
  }
  if (asked.engine.event) play(asked, table);
  return global_options(app).json ? support::document_text(results::collective_json(table))
                                  : results::terminal_text(results::collective_document(table));
}

}  // namespace

Command collective_command() {
  return {.name = "collective",
          .summary = "Time of one collective, in the columns of nccl-tests",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
