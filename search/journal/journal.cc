#include "search/journal/journal.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <system_error>

#include "scenarios/readers/campaign_reader.h"
#include "search/journal/file_texts.h"
#include "search/journal/journal_schema.h"
#include "search/journal/plain_line.h"
#include "search/searchers/charge.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::TrialState;
using support::ObjectReader;
using support::Problem;

constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Of the header's `options`; the others are the searcher's.
constexpr std::array<std::string_view, 5> study_options{"backend", "slots", "start", "permute",
                                                        "warm_start"};

JournalHeader read_header(const Json& document, const std::string& where) {
  std::vector<Problem> problems;
  ObjectReader in(document, where, "", problems);
  JournalHeader header;
  if (const std::string found = in.string("schema"); problems.empty() && found != journal_schema) {
    in.problem("schema", "expected \"" + std::string(journal_schema) + "\", got " +
                             support::shown(Json(found)));
  }
  read_searched(in, "", header);
  header.searcher = in.string("searcher");
  ObjectReader options = in.object("options");
  header.backend = options.string("backend");
  header.slots = options.integer("slots", 1, scenarios::slots_max);
  header.start = options.string("start", header.start);
  header.permute = options.boolean("permute", false);
  header.warm_start = options.string("warm_start", "");
  for (const std::string& key : options.keys()) {
    if (std::ranges::find(study_options, key) != study_options.end()) continue;
    header.searcher_options.emplace_back(key, options.number(key, -infinite, infinite));
  }
  options.finish();
  header.telling = in.string("telling");
  header.seed = in.integer("seed", 0, integer_max);
  ObjectReader budget = in.object("budget");
  header.trials = budget.integer("trials", 1, scenarios::trials_max);
  budget.finish();
  in.finish();
  support::throw_if_any(problems);
  return header;
}

void read_state(ObjectReader& in, scenarios::TrialOutcome& outcome) {
  const std::string state = in.string("state");
  const std::string reason = in.string("reason", "");
  if (const auto known = scenarios::trial_state_of(state)) {
    outcome.state = *known;
  } else {
    in.problem("state",
               "expected one of complete, fail, pruned, got " + support::shown(Json(state)));
  }
  if (reason.empty()) return;
  if (const auto known = scenarios::reason_of(reason)) {
    outcome.reason = *known;
  } else {
    in.problem("reason",
               "expected a reason why trials fail, or null, got " + support::shown(Json(reason)));
  }
}

scenarios::TrialOutcome read_outcome(ObjectReader& in) {
  scenarios::TrialOutcome outcome;
  read_state(in, outcome);
  if (in.has("value")) outcome.value = in.number("value", -infinite, infinite);
  in.allow("value");
  if (outcome.value.has_value() != (outcome.state == TrialState::complete)) {
    in.problem("value", "expected a number exactly when the state is complete");
  }
  ObjectReader metrics = in.object("metrics");
  for (const std::string& name : metrics.keys()) {
    outcome.metrics.emplace_back(name, metrics.number(name, -infinite, infinite));
  }
  metrics.finish();
  outcome.cost_gpu_hours = in.number("cost_gpu_hours", 0.0, infinite);
  return outcome;
}

ConfigText read_config(ObjectReader& in, std::string_view key = "config") {
  ConfigText config;
  ObjectReader object = in.object(key);
  for (const std::string& name : object.keys()) {
    const Json* value = object.raw(name);
    if (value == nullptr) continue;
    if (value->is_structured()) {
      object.problem(name, "expected a value of a setting, got " + support::shown(*value));
    } else {
      config.emplace_back(name, value->dump());
    }
  }
  object.finish();
  return config;
}

JournalLine read_line(const Json& document, const std::string& where) {
  std::vector<Problem> problems;
  ObjectReader in(document, where, "", problems);
  JournalLine line;
  line.trial = in.integer("trial", 0, scenarios::trials_max);
  line.attempt = in.integer("attempt", 0, scenarios::trials_max);
  line.config = read_config(in);
  line.outcome = read_outcome(in);
  line.started_h = in.number("started_h", 0.0, infinite);
  line.finished_h = in.number("finished_h", line.started_h, infinite);
  line.outcome.duration_h = line.finished_h - line.started_h;
  line.round = in.integer("round", 0, scenarios::trials_max);
  if (in.has("fidelity")) line.fidelity = in.number("fidelity", support::above_zero, 1.0);
  in.allow("fidelity");
  in.finish();
  support::throw_if_any(problems);
  return line;
}

bool is_recommendation(const Json& document) {
  return document.is_object() && document.contains("recommend");
}

ConfigText read_recommendation(const Json& document, const std::string& where) {
  std::vector<Problem> problems;
  ObjectReader in(document, where, "", problems);
  ConfigText config = read_config(in, "recommend");
  in.finish();
  support::throw_if_any(problems);
  return config;
}

/// One line of a file; nothing when it is the last and was torn.
std::optional<Json> parse_line(std::string_view text, const std::string& where, bool last) {
  try {
    return support::parse_json(text, where);
  } catch (const support::InputError&) {
    if (last) return std::nullopt;
    throw support::InputError(where, "expected a line of JSON, got " + support::shortened(text));
  }
}

/// Refuses the first launch that is in the file a second time. Its lines come nearly in order.
void require_each_once(const std::vector<LaunchNumber>& launches,
                       const std::filesystem::path& path) {
  if (std::ranges::is_sorted(launches, std::ranges::less_equal())) return;
  std::vector<std::size_t> order(launches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return launches[i]; });
  std::size_t again = launches.size();
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (launches[order[i - 1]] == launches[order[i]]) again = std::min(again, order[i]);
  }
  if (again == launches.size()) return;
  constexpr std::size_t first_line = 2;  // after the header
  throw support::InputError(path.string() + ":" + std::to_string(again + first_line),
                            "expected each launch once, got attempt " +
                                std::to_string(launches[again].attempt) + " of trial " +
                                std::to_string(launches[again].trial) + " again");
}

}  // namespace

support::InputError no_header(const std::filesystem::path& path) {
  return {path.string(), "expected a journal, got no header"};
}

double charged(const JournalFile& journal) {
  double sum = 0.0;
  for (const JournalLine& line : journal.lines) sum += charge_of(line.share());
  return sum;
}

bool has_header(const std::filesystem::path& path) {
  const support::FileDescriptor file = support::open_to_read(path);
  std::array<char, 4096> piece;
  for (;;) {
    const ssize_t count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw support::OutputError("cannot read " + path.string() + ": " +
                                 std::generic_category().message(errno));
    }
    if (count == 0) return false;
    if (std::find(piece.begin(), piece.begin() + count, '\n') != piece.begin() + count) return true;
  }
}

std::optional<JournalFrame> read_lines(
    const std::filesystem::path& path,
    const std::function<std::optional<LaunchNumber>(std::string_view)>& take_plain,
    const std::function<void(JournalLine&&)>& take) {
  return read_lines_of(support::read_file(path), path, take_plain, take);
}

std::optional<JournalFrame> read_lines_of(
    std::string_view text, const std::filesystem::path& path,
    const std::function<std::optional<LaunchNumber>(std::string_view)>& take_plain,
    const std::function<void(JournalLine&&)>& take) {
  if (text.find('\n') == std::string_view::npos) return std::nullopt;
  JournalFrame frame;
  std::vector<LaunchNumber> launches;
  std::size_t number = 1;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       begin = end + 1, end = text.find('\n', begin), ++number) {
    const std::string_view line = text.substr(begin, end - begin);
    if (const auto taken = number > 1 && !frame.recommended ? take_plain(line) : std::nullopt) {
      launches.push_back(*taken);
      continue;
    }
    const std::string where = path.string() + ":" + std::to_string(number);
    const auto document = parse_line(line, where, end + 1 == text.size());
    if (!document) break;
    if (number == 1) {
      frame.header = read_header(*document, where);
    } else if (frame.recommended) {
      throw support::InputError(where, "expected nothing after what is recommended");
    } else if (is_recommendation(*document)) {
      frame.recommended = read_recommendation(*document, where);
    } else {
      JournalLine launch = read_line(*document, where);
      launches.push_back({launch.trial, launch.attempt});
      take(std::move(launch));
    }
  }
  require_each_once(launches, path);
  if (number == 1) throw no_header(path);
  frame.torn = begin < text.size();
  return frame;
}

JournalFile read_journal(const std::filesystem::path& path) {
  JournalFile file;
  const auto take_plain = [&](std::string_view line) -> std::optional<LaunchNumber> {
    auto launch = read_plain_launch(line);
    if (!launch) return std::nullopt;
    file.lines.push_back(*std::move(launch));
    return LaunchNumber{file.lines.back().trial, file.lines.back().attempt};
  };
  auto frame = read_lines(path, take_plain,
                          [&](JournalLine&& line) { file.lines.push_back(std::move(line)); });
  if (!frame) throw no_header(path);
  file.header = std::move(frame->header);
  file.recommended = std::move(frame->recommended);
  file.torn = frame->torn;
  return file;
}

}  // namespace cubicbench::search
