#include "search/journal/journal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "scenarios/readers/campaign_reader.h"
#include "search/journal/plain_line.h"
#include "search/searchers/charge.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"
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
constexpr std::string_view schema = "cubicbench.journal/1";

/// Of the header's `options`; the others are the searcher's.
constexpr std::array<std::string_view, 5> study_options{"backend", "slots", "start", "permute",
                                                        "warm_start"};

// Writing --------------------------------------------------------------------------------------

/// Appends `"key":value`, after a comma unless an object has just begun.
void member(std::string& out, std::string_view key, std::string_view value) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += key;
  out += "\":";
  out += value;
}

void number(std::string& out, std::string_view key, double value) {
  member(out, key, support::shortest(value));
}

void name_or_null(std::string& out, std::string_view key, std::string_view name) {
  member(out, key, name.empty() ? "null" : "\"" + std::string(name) + "\"");
}

std::string metrics_object(const scenarios::TrialOutcome& outcome) {
  std::string out = "{";
  for (const auto& [name, value] : outcome.metrics) {
    if (out.size() > 1) out += ',';
    out += support::json_string(name) + ":" + support::shortest(value);
  }
  return out + "}";
}

// Reading --------------------------------------------------------------------------------------

JournalHeader read_header(const Json& document, const std::string& where) {
  std::vector<Problem> problems;
  ObjectReader in(document, where, "", problems);
  JournalHeader header;
  if (const std::string found = in.string("schema"); problems.empty() && found != schema) {
    in.problem("schema",
               "expected \"" + std::string(schema) + "\", got " + support::shown(Json(found)));
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
void require_each_once(const std::vector<JournalLine>& lines, const std::filesystem::path& path) {
  const auto number = [&](std::size_t i) { return std::pair(lines[i].trial, lines[i].attempt); };
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, number);
  std::size_t again = lines.size();
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (number(order[i - 1]) == number(order[i])) again = std::min(again, order[i]);
  }
  if (again == lines.size()) return;
  constexpr std::size_t first_line = 2;  // after the header
  throw support::InputError(path.string() + ":" + std::to_string(again + first_line),
                            "expected each launch once, got attempt " +
                                std::to_string(lines[again].attempt) + " of trial " +
                                std::to_string(lines[again].trial) + " again");
}

}  // namespace

double charged(const JournalFile& journal) {
  double sum = 0.0;
  for (const JournalLine& line : journal.lines) sum += charge_of(line.share());
  return sum;
}

bool has_header(const std::filesystem::path& path) {
  return support::read_file(path).find('\n') != std::string::npos;
}

JournalFile read_journal(const std::filesystem::path& path) {
  const std::string text = support::read_file(path);
  JournalFile file;
  std::size_t number = 1;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin), ++number) {
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (auto launch = number > 1 && !file.recommended ? read_plain_launch(line) : std::nullopt) {
      file.lines.push_back(*std::move(launch));
      continue;
    }
    const std::string where = path.string() + ":" + std::to_string(number);
    const auto document = parse_line(line, where, end + 1 == text.size());
    if (!document) break;
    if (number == 1) {
      file.header = read_header(*document, where);
    } else if (file.recommended) {
      throw support::InputError(where, "expected nothing after what is recommended");
    } else if (is_recommendation(*document)) {
      file.recommended = read_recommendation(*document, where);
    } else {
      file.lines.push_back(read_line(*document, where));
    }
  }
  require_each_once(file.lines, path);
  if (number == 1) throw support::InputError(path.string(), "expected a journal, got no header");
  file.torn = begin < text.size();
  return file;
}

std::string journal_text(const JournalHeader& header) {
  Json options = {{"backend", header.backend}, {"slots", header.slots}};
  // Journals of before have no such keys.
  if (header.start != "none") options["start"] = header.start;
  if (header.permute) options["permute"] = true;
  if (!header.warm_start.empty()) options["warm_start"] = header.warm_start;
  for (const auto& [name, value] : header.searcher_options) options[name] = value;
  Json document = searched_json(schema, header);
  document["searcher"] = header.searcher;
  document["options"] = std::move(options);
  document["telling"] = header.telling;
  document["seed"] = header.seed;
  document["budget"] = {{"trials", header.trials}};
  return support::line_text(document);
}

std::string journal_text(const JournalLine& line) {
  const scenarios::TrialOutcome& outcome = line.outcome;
  std::string out = "{";
  member(out, "trial", std::to_string(line.trial));
  member(out, "attempt", std::to_string(line.attempt));
  member(out, "config", config_object(line.config));
  name_or_null(out, "state", name_of(outcome.state));
  name_or_null(out, "reason", name_of(outcome.reason));
  member(out, "value", outcome.value ? support::shortest(*outcome.value) : "null");
  member(out, "metrics", metrics_object(outcome));
  number(out, "cost_gpu_hours", outcome.cost_gpu_hours);
  number(out, "started_h", line.started_h);
  number(out, "finished_h", line.finished_h);
  member(out, "round", std::to_string(line.round));
  member(out, "fidelity", line.fidelity ? support::shortest(*line.fidelity) : "null");
  return out + "}\n";
}

std::string config_object(const ConfigText& config) {
  std::string out = "{";
  for (const auto& [name, value] : config) member(out, name, value);
  return out + "}";
}

std::string recommendation_text(const ConfigText& config) {
  return "{\"recommend\":" + config_object(config) + "}\n";
}

}  // namespace cubicbench::search
