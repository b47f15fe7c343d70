#include "cli/requests/event_request.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "cli/options/readers.h"
#include "cli/terminal/watched.h"
#include "results/document/number_text.h"
#include "results/simulation/trace_json.h"
#include "results/simulation/traced_ranks.h"
#include "scenarios/readers/conditions_reader.h"
#include "sim/truth/noise_and_failures.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/parsed.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

std::optional<std::int64_t> rank_of(std::string_view text, std::int64_t gpus) {
  const std::optional<std::int64_t> rank = support::parsed<std::int64_t>(text);
  return rank && *rank >= 0 && *rank < gpus ? rank : std::nullopt;
}

/// Adds "7", or all of "16-19".
void add_ranks(std::string_view word, std::int64_t gpus, const std::string& where,
               std::set<std::int64_t>& ranks) {
  const std::size_t dash = word.find('-', 1);
  const auto first = rank_of(word.substr(0, dash), gpus);
  const auto last = dash == std::string_view::npos ? first : rank_of(word.substr(dash + 1), gpus);
  if (!first || !last || *last < *first) {
    throw InputError(where, "expected ranks of 0 to " + std::to_string(gpus - 1) +
                                " such as 7 or 0-3, got " + in_quotes(word));
  }
  for (std::int64_t rank = *first; rank <= *last; ++rank) ranks.insert(rank);
}

/// The GPUs' delays of one step, drawn from `seed` as the scenario's noise has them.
sim::LateRanks late_ranks(const scenarios::Scenario& scenario, std::uint64_t seed) {
  const sim::NoiseModel& noise = *sim::find_noise_model(scenario.truth.noise);
  if (noise.jitter.gpu_mean == 0.0) {
    throw InputError("--jitter",
                     "expected a scenario with noise in its truth, such as field, got \"" +
                         scenario.truth.noise + "\"");
  }
  return {.seed = seed, .step = 0, .gpu_mean = noise.jitter.gpu_mean};
}

std::vector<std::int64_t> traced_ranks(const scenarios::Scenario& scenario,
                                       const EngineOptions& asked) {
  if (asked.trace_ranks.empty()) return results::telling_ranks(scenario);
  return listed_ranks(asked.trace_ranks, scenario.cluster.gpus, "--trace-ranks");
}

}  // namespace

std::vector<std::int64_t> listed_ranks(const std::string& text, std::int64_t gpus,
                                       const std::string& where) {
  Problems problems;
  std::set<std::int64_t> ranks;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    gathered(problems, [&] {
      add_ranks(std::string_view(text).substr(begin, end - begin), gpus, where, ranks);
    });
    begin = end + 1;
  }
  support::throw_if_any(problems);
  if (ranks.size() > listed_ranks_max) {
    throw InputError(where, "expected at most " + std::to_string(listed_ranks_max) +
                                " ranks, got " + std::to_string(ranks.size()));
  }
  return {ranks.begin(), ranks.end()};
}

sim::EventOptions event_request(const scenarios::Scenario& scenario, const EngineOptions& asked,
                                sim::SpanLog& spans) {
  sim::EventOptions options;
  options.contention = asked.contention;
  options.fold = asked.fold;
  Problems problems;
  if (asked.jitter) {
    options.late = gathered(problems, [&] { return late_ranks(scenario, *asked.jitter); });
  }
  if (asked.conditions) {
    options.conditions =
        gathered(problems, [&] { return scenarios::read_conditions(*asked.conditions, scenario); });
    const sim::Conditions& read = options.conditions;
    if (!asked.contention && !(read.degraded_links.empty() && read.routes.empty())) {
      problems.push_back({"--contention", "expected on, as " + *asked.conditions +
                                              " has links or routes, got \"off\""});
    }
  }
  if (asked.trace) {
    spans.ranks = gathered(problems, [&] { return traced_ranks(scenario, asked); });
    options.spans = &spans;
  }
  support::throw_if_any(problems);
  return options;
}

void write_trace(const results::Simulation& simulation, const EngineOptions& asked,
                 const sim::SpanLog& spans, bool quiet) {
  if (!asked.trace) return;
  if (simulation.report.status != sim::StepStatus::ok) {
    say_note("no trace: the configuration does not run", quiet);
    return;
  }
  std::vector<std::string> names;
  for (const std::int64_t rank : spans.ranks) {
    names.push_back(results::traced_rank_name(simulation.scenario, rank));
  }
  support::write_file_atomic(*asked.trace, results::trace_json(spans, names));
  say_note(*asked.trace + ": " + results::counted(spans.ranks.size(), "rank", "ranks") + ", " +
               results::counted(spans.spans.size(), "span", "spans") + "; ui.perfetto.dev opens it",
           quiet);
}

}  // namespace cubicbench::cli
