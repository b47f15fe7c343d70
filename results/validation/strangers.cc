#include "results/validation/strangers.h"

#include <variant>
#include <vector>

#include "datasets/mapping/library.h"
#include "datasets/mapping/stack_defaults.h"
#include "predictor/calibration/left_out.h"

namespace cubicbench::results {

Strangers strangers_of(std::span<const datasets::MeasuredTable> tables,
                       const datasets::WantedRows& wanted, bool with_left_out, int threads) {
  std::vector<datasets::MeasuredTable> runs;
  for (const datasets::MeasuredTable& table : tables) {
    if (std::holds_alternative<datasets::Measurements>(table)) runs.push_back(table);
  }
  const auto played = [&](const datasets::Played& as) {
    return summaries_of(datasets::validate_tables(runs, wanted, threads, as));
  };
  const std::string& stack = datasets::stack_catalog().one_for_all;
  const datasets::Library one = datasets::played_by(datasets::library().stacks.at(stack));
  const auto by_one = [&](const auto&, const auto&) -> const datasets::Library& { return one; };
  Strangers strangers{.stack = stack,
                      .in_sample = played({}),
                      .one_for_all = played({.among = by_one}),
                      .unnamed = played({.unnamed = true}),
                      .left_out = std::nullopt};
  if (with_left_out) {
    constexpr bool named = false;
    strangers.left_out = summaries_of(
        predictor::validate_left_out(runs, wanted, predictor::LeftOutOf::source, named, threads));
  }
  return strangers;
}

}  // namespace cubicbench::results
