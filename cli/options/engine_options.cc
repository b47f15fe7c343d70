#include "cli/options/engine_options.h"

#include <cstddef>
#include <string_view>

#include "cli/options/readers.h"
#include "support/input_error.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

/// Options of the event engine, in the order of `EngineAsked::of_event`.
enum Which : std::size_t { contention, fold, jitter, conditions, trace, trace_ranks };

struct EventOption {
  const char* name;
  const char* placeholder;
  bool of_collectives;  ///< whether one collective has a use for it
  const char* help;
};
constexpr std::array event_options{
    EventOption{
        "--contention", "on|off", true,
        "on (default): transfers share links; off: each takes the\ntime of its analytical cost"},
    EventOption{"--fold", "on|off", false,
                "on (default): ranks that provably behave alike are\nsimulated once; never changes "
                "a result"},
    EventOption{"--jitter", "off|SEED", false,
                "Delay GPUs by the scenario's noise, drawn from SEED\n(default: off)"},
    EventOption{"--conditions", "FILE", false,
                "Faults of the cluster: slow and failed ranks, weak\nlinks, fixed routes"},
    EventOption{"--trace", "FILE", false,
                "Write a timeline of chosen ranks, for\nui.perfetto.dev or chrome://tracing"},
    EventOption{"--trace-ranks", "LIST", false,
                "Ranks to trace: 0,8,16-19 (default: the first ranks of\nfour pipeline stages)"}};

constexpr std::array<std::string_view, 2> engines{"analytical", "event"};

bool event_asked(const std::string& engine) {
  if (engine == engines[0] || engine == engines[1]) return engine == engines[1];
  throw InputError("--engine", "expected analytical or event, got " + in_quotes(engine) +
                                   support::did_you_mean(engine, engines));
}

/// Whether it is on, as it is unless said otherwise.
bool switched_on(const EngineAsked& asked, Which which) {
  const std::string value = asked.of_event[which].value_or("on");
  if (value == "on" || value == "off") return value == "on";
  throw InputError(event_options[which].name, "expected on or off, got " + in_quotes(value));
}

std::optional<std::uint64_t> jitter_seed(const EngineAsked& asked) {
  const std::string value = asked.of_event[jitter].value_or("off");
  if (value == "off") return std::nullopt;
  if (const auto seed = support::parsed<std::uint64_t>(value)) return seed;
  throw InputError("--jitter", "expected off or an integer in [0, 18446744073709551615], got " +
                                   in_quotes(value));
}

std::optional<std::string> filled(const EngineAsked& asked, Which which) {
  const EventOption& option = event_options[which];
  const std::optional<std::string>& value = asked.of_event[which];
  return value ? std::optional(Filled{option.placeholder}(*value, option.name)) : std::nullopt;
}

/// What is given and has no use here.
void check_given(const EngineAsked& asked, EngineScope scope, bool event, Problems& problems) {
  for (std::size_t i = 0; i < event_options.size(); ++i) {
    const EventOption& option = event_options[i];
    if (!asked.of_event[i]) continue;
    if (scope == EngineScope::collective && !option.of_collectives) {
      problems.push_back({option.name, "expected with simulate: it is of a whole step"});
    } else if (!event) {
      problems.push_back({option.name, "expected with --engine event"});
    }
  }
}

}  // namespace

void declare_engine(Options& options, EngineScope scope, EngineAsked& asked) {
  const bool is_traced = scope == EngineScope::step || scope == EngineScope::collective;
  if (scope != EngineScope::played_step) {
    options
        .value("--engine", "ENGINE",
               "analytical (default): closed forms; event: played event\nby event, and "
               "transfers share links",
               asked.engine)
        .offers(engines);
  }
  for (std::size_t i = 0; i < event_options.size(); ++i) {
    if (i >= trace && !is_traced) break;
    const EventOption& own = event_options[i];
    Option& option = options.value(own.name, own.placeholder, own.help, asked.of_event[i]);
    if (scope == EngineScope::collective && !own.of_collectives) option.hidden();
    if (i != trace || scope != EngineScope::step) continue;
    // An empty name is reported with the problems of the other options.
    option.writes(
        [&asked] { return asked.of_event[trace]->empty() ? Output::none : Output::file; });
  }
}

EngineOptions engine_options(const EngineAsked& asked, EngineScope scope, bool event) {
  Problems problems;
  EngineOptions options;
  options.event =
      asked.engine ? gathered(problems, [&] { return event_asked(*asked.engine); }) : event;
  if (problems.empty()) check_given(asked, scope, options.event, problems);
  support::throw_if_any(problems);
  options.contention = gathered(problems, [&] { return switched_on(asked, contention); });
  options.fold = gathered(problems, [&] { return switched_on(asked, fold); });
  options.jitter = gathered(problems, [&] { return jitter_seed(asked); });
  options.conditions = gathered(problems, [&] { return filled(asked, conditions); });
  options.trace = gathered(problems, [&] { return filled(asked, trace); });
  if (asked.of_event[trace_ranks] && !asked.of_event[trace]) {
    problems.push_back({"--trace-ranks", "expected with --trace FILE"});
  }
  options.trace_ranks = gathered(problems, [&] { return filled(asked, trace_ranks).value_or(""); });
  support::throw_if_any(problems);
  return options;
}

}  // namespace cubicbench::cli
