#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/requests/collective_request.h"
#include "results/document/terminal.h"
#include "results/tables/collective_table.h"
#include "scenarios/collective/collective_play.h"
#include "scenarios/collective/collective_question.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

/// What the group could run instead, each on its own.
[[noreturn]] void refuse_algorithm(const CollectiveRequest& asked, const sim::Group& group) {
  std::vector<std::string> possible;
  for (std::size_t i = 0; i < sim::algorithm_count; ++i) {
    const auto algorithm = static_cast<sim::Algorithm>(i);
    if (scenarios::answer(asked.op, asked.sizes.front(), group, asked.cluster.network, algorithm)) {
      possible.emplace_back(scenarios::name_of(algorithm));
    }
  }
  throw support::InputError("--algorithm", "expected one that this group can run (" +
                                               support::joined(possible, ", ") + "), got " +
                                               in_quotes(scenarios::name_of(*asked.algorithm)));
}

/// Puts the answers of the event engine in place of those of the closed forms.
void play(const CollectiveRequest& asked, results::CollectiveTable& table) {
  scenarios::CollectivePlay links(asked.groups, asked.cluster, "--cluster");
  for (scenarios::CollectiveAnswer& answer : table.answers) {
    answer = links.play(answer, asked.engine.contention);
  }
}

Reply answer(const CollectiveRequest& asked, const results::Screen& screen) {
  scenarios::check_room(asked.groups, asked.cluster,
                        {.ranks = "--ranks", .groups = "--groups", .per_domain = "--per-domain"});
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
  return asked.global.json ? support::document_text(results::collective_json(table))
                           : results::terminal_text(results::collective_document(table), screen);
}

}  // namespace

Command collective_command() { return command(words::collective, declare_collective, answer); }

}  // namespace cubicbench::cli
