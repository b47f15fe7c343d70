#include "cli/engine_option.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/options.h"
#include "cli/problems.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;
using support::Problem;

/// An option of the event engine.
struct EventOption {
  const char* name;
  const char* placeholder;
  bool of_collectives;  ///< whether one collective has a use for it
  const char* help;
};
constexpr std::array event_options{
    EventOption{"--contention", "on|off", true,
                "Whether transfers share links (default: on), or each\nhas the time of its "
                "analytical cost"},
    EventOption{"--fold", "on|off", false,
                "Whether ranks that are provably alike are played once\n(default: on); changes no "
                "result"},
    EventOption{"--jitter", "off|SEED", false,
                "Make GPUs late as the scenario's noise has it, drawn\nfrom SEED (default: off)"},
    EventOption{"--conditions", "FILE", false,
                "What is wrong with the cluster: slow and failed ranks,\nweak links, fixed routes"},
    EventOption{"--trace", "FILE", false,
                "Write a timeline of chosen ranks, for\nui.perfetto.dev or chrome://tracing"},
    EventOption{"--trace-ranks", "LIST", false,
                "Which ranks: 0,8,16-19 (default: the first ones of four\npipeline stages)"}};

constexpr std::array<std::string_view, 2> engines{"analytical", "event"};

std::string quoted(const std::string& text) { return '"' + support::shortened(text) + '"'; }

bool event_asked(const CLI::App& app) {
  const std::string engine = value_of(app, "--engine").value_or("analytical");
  if (engine == engines[0] || engine == engines[1]) return engine == engines[1];
  throw InputError("--engine", "expected analytical or event, got " + quoted(engine) +
                                   support::did_you_mean(engine, engines));
}

/// Whether `name` is on; `otherwise` where it was not given.
bool switched_on(const CLI::App& app, const std::string& name, bool otherwise) {
  const std::string value = value_of(app, name).value_or(otherwise ? "on" : "off");
  if (value == "on" || value == "off") return value == "on";
  throw InputError(name, "expected on or off, got " + quoted(value));
}

std::optional<std::uint64_t> jitter_seed(const CLI::App& app) {
  const std::string value = value_of(app, "--jitter").value_or("off");
  if (value == "off") return std::nullopt;
  std::uint64_t seed = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, seed);
  if (error == std::errc{} && stop == end) return seed;
  throw InputError("--jitter",
                   "expected off or an integer in [0, 18446744073709551615], got " + quoted(value));
}

std::optional<std::string> file_of(const CLI::App& app, const std::string& name) {
  std::optional<std::string> file = value_of(app, name);
  if (file && file->empty()) throw InputError(name, "expected FILE, got \"\"");
  return file;
}

/// What is given and has no use here.
void check_given(const CLI::App& app, EngineScope scope, bool event,
                 std::vector<Problem>& problems) {
  for (const EventOption& option : event_options) {
    if (app.count(option.name) == 0) continue;
    if (scope == EngineScope::collective && !option.of_collectives) {
      problems.push_back({option.name, "expected with simulate: it is of a whole step"});
    } else if (!event) {
      problems.push_back({option.name, "expected with --engine event"});
    }
  }
}

}  // namespace

void declare_engine(CLI::App& app, EngineScope scope) {
  declare_value(app, "--engine", "ENGINE",
                "analytical (default): closed forms; event: played event\nby event, and transfers "
                "share links");
  for (const EventOption& option : event_options) {
    CLI::Option* const declared = declare_value(app, option.name, option.placeholder, option.help);
    if (scope == EngineScope::collective && !option.of_collectives) declared->group("");
  }
}

EngineOptions engine_options(const CLI::App& app, EngineScope scope, bool event) {
  std::vector<Problem> problems;
  EngineOptions options;
  options.event =
      app.count("--engine") == 0 ? event : gathered(problems, [&] { return event_asked(app); });
  if (problems.empty()) check_given(app, scope, options.event, problems);
  support::throw_if_any(problems);
  options.contention = gathered(problems, [&] { return switched_on(app, "--contention", true); });
  options.fold = gathered(problems, [&] { return switched_on(app, "--fold", true); });
  options.jitter = gathered(problems, [&] { return jitter_seed(app); });
  options.conditions = gathered(problems, [&] { return file_of(app, "--conditions"); });
  options.trace = gathered(problems, [&] { return file_of(app, "--trace"); });
  const auto ranks = gathered(problems, [&] { return value_of(app, "--trace-ranks"); });
  if (ranks && app.count("--trace") == 0) {
    problems.push_back({"--trace-ranks", "expected with --trace FILE"});
  }
  if (ranks && ranks->empty()) {
    problems.push_back({"--trace-ranks", "expected LIST, got \"\""});
  }
  options.trace_ranks = ranks.value_or("");
  support::throw_if_any(problems);
  return options;
}

}  // namespace cubicbench::cli
