#include "datasets/exhaustive/enumerate.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/enumeration_request.h"
#include "cli/terminal/watched.h"
#include "cli/terminal/written_page.h"
#include "datasets/exhaustive/branch_and_bound.h"
#include "datasets/exhaustive/configuration_table.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "datasets/exhaustive/shard.h"
#include "results/document/number_text.h"
#include "results/document/terminal.h"
#include "results/enumeration/enumeration_document.h"
#include "support/files.h"
#include "support/interruption.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

using datasets::Enumeration;

/// What is written, and what people see.
struct Answer {
  std::string document;
  results::Document shown;
};

Answer answer_of(const EnumerationRequest& asked, const Enumeration& enumeration) {
  return {
      .document = support::document_text(datasets::enumeration_json(enumeration)),
      .shown = results::enumeration_document(
          enumeration, problem_of(asked), asked.scenario.measured != nullptr, command_of(asked))};
}

Answer all_valued(const EnumerationRequest& asked, const scenarios::Instance& instance,
                  Enumeration head, WatchedValues& watched) {
  const scenarios::SearchSpace& space = asked.scenario.space;
  std::vector<scenarios::TrueValue> kept(asked.table ? space.count() : 0);
  auto range =
      datasets::valued_range(instance, part_of(asked), watched.run(), kept, sketch_of(asked, head));
  watched.finish();
  datasets::ValuedSpace values{.failures = range.failures,
                               .best = range.best,
                               .best_configs = datasets::named_settings(space, range.best.numbers),
                               .values = std::move(range.values)};
  const auto look = support::end_if_interrupted;
  Answer answer =
      answer_of(asked, datasets::enumerated(std::move(head), std::move(values), k_max_of(asked),
                                            asked.global.threads, look));
  look();
  if (asked.table) datasets::write_configuration_table(space, kept, *asked.table, look);
  return answer;
}

Answer shard_valued(const EnumerationRequest& asked, const scenarios::Instance& instance,
                    Enumeration head, WatchedValues& watched) {
  const datasets::NumberRange part = part_of(asked);
  auto range = datasets::valued_range(instance, part, watched.run(), {}, sketch_of(asked, head));
  watched.finish();
  datasets::EnumerationShard shard;
  shard.head = std::move(head);
  shard.k_max = k_max_of(asked);
  shard.index = asked.shard->index;
  shard.of = asked.shard->of;
  shard.failures = range.failures;
  shard.best = range.best;
  shard.best_configs = datasets::named_settings(asked.scenario.space, range.best.numbers);
  datasets::store_values(datasets::MergedRuns(std::move(range.values)), *asked.out + ".values",
                         shard, support::end_if_interrupted);
  Answer answer;
  answer.document = support::document_text(datasets::enumeration_shard_json(shard));
  answer.shown.add(
      results::Paragraph{asked.scenario.name + ": shard " + std::to_string(shard.index) + "/" +
                         std::to_string(shard.of) + ", " +
                         results::counted(part.count, "configuration", "configurations") +
                         " valued. `cubicbench merge` makes one of all shards."});
  return answer;
}

Answer bounded(const EnumerationRequest& asked, const scenarios::Instance& instance,
               Enumeration head, WatchedValues& watched) {
  const auto found = datasets::bounded_optimum(instance, asked.limit, watched.run());
  watched.finish();
  return answer_of(asked,
                   datasets::enumerated_by_bounds(std::move(head), asked.scenario.space, found));
}

Reply answer(const EnumerationRequest& asked, const results::Screen& screen) {
  const scenarios::Instance instance(asked.scenario, asked.instance);
  Enumeration head = datasets::enumeration_head(instance, truth_of(asked), asked.name);
  // To the end: a file that is begun is finished or removed. Once one of two has its name, the
  // other is written, too.
  WatchedValues watched(asked.global.quiet, asked.limit.value_or(part_of(asked).count),
                        asked.global.threads, asked.out.value_or(asked.table.value_or("")));
  const auto valued = asked.shard ? shard_valued : goes_by_bounds(asked) ? bounded : all_valued;
  head.sketched = asked.sketch;
  if (simulates_random_search(asked)) {
    head = datasets::with_random_search(std::move(head), instance, k_max_of(asked),
                                        datasets::random_studies_whole, asked.global.threads,
                                        support::end_if_interrupted);
  }
  const Answer answer = valued(asked, instance, std::move(head), watched);
  if (asked.out) support::write_file_atomic(*asked.out, answer.document);
  const std::string written = written_page(answer.shown, asked.page);
  return asked.global.json ? answer.document
                           : results::terminal_text(answer.shown, screen) + written;
}

}  // namespace

Command enumerate_command() { return command(words::enumerate, declare_enumeration, answer); }

}  // namespace cubicbench::cli
