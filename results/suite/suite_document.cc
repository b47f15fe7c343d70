#include "results/suite/suite_document.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "results/document/number_text.h"
#include "results/enumeration/enumeration_figures.h"
#include "results/score/score_document.h"
#include "results/simulation/shown_problem.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::Enumeration;
using scenarios::Reason;

bool maximize(const SuiteCard& card) {
  return card.space.objective.direction == scenarios::Direction::maximize;
}

double share_failed(const Enumeration& space, std::initializer_list<Reason> reasons) {
  std::uint64_t failed = 0;
  for (const auto& [reason, count] : space.failures) {
    if (std::ranges::find(reasons, reason) != reasons.end()) failed += count;
  }
  return static_cast<double>(failed) / static_cast<double>(space.configurations);
}

double share_running(const Enumeration& space) {
  double running = 1.0;
  for (const auto& [reason, count] : space.failures) {
    running -= static_cast<double>(count) / static_cast<double>(space.configurations);
  }
  return running;
}

double median(const Enumeration& space) { return space.quantiles[space.quantiles.size() / 2]; }

/// What the optimum is held against: the baseline, or the median of what runs.
double start(const SuiteCard& card) {
  return card.space.baseline.value ? *card.space.baseline.value : median(card.space);
}

/// How many times as good as that the optimum is.
double gain(const SuiteCard& card) {
  const double ratio = card.space.optimum->value / start(card);
  return maximize(card) ? ratio : 1.0 / ratio;
}

/// Of configurations that run, those that the baseline is better than.
double percentile(const SuiteCard& card) {
  return 1.0 - *card.space.baseline.share_better / share_running(card.space);
}

/// Of configurations that run, those within 5 % of the optimum.
double share_near(const SuiteCard& card) {
  const double limit =
      maximize(card) ? 0.95 * card.space.optimum->value : card.space.optimum->value / 0.95;
  const auto near = std::ranges::count_if(card.space.quantiles, [&](double value) {
    return maximize(card) ? value >= limit : value <= limit;
  });
  return static_cast<double>(near) / static_cast<double>(card.space.quantiles.size());
}

std::optional<double> gap_closed(const SuiteCard& card,
                                 const std::optional<datasets::Summit>& end) {
  if (!end) return std::nullopt;
  return (end->value - start(card)) / (card.space.optimum->value - start(card));
}

std::string small_share(double share) {
  return share < 0.0005 ? "less than 0.1 %" : percent(share);
}

Facts facts_of(const SuiteCard& card) {
  const Enumeration& space = card.space;
  const datasets::Climbs& climbs = card.landscape.climbs;
  const bool known = space.baseline.value.has_value();
  Facts facts;
  const auto add = [&](std::string name, std::string text) {
    facts.items.emplace_back(std::move(name), std::move(text));
  };
  add("space", grouped(space.configurations) + " configurations of " +
                   std::to_string(card.scenario.space.size()) + " knobs; budget " +
                   grouped(static_cast<std::uint64_t>(card.trials)) + " launches");
  add("runs", percent(share_running(space)) + ", out of memory " +
                  percent(share_failed(space, {Reason::oom_init, Reason::oom_late})) +
                  ", too slow " + percent(share_failed(space, {Reason::timeout})));
  add("optimum", metric_text(space.objective, space.optimum->value) + ", certified, " +
                     fixed(gain(card), 2) + (known ? " x the baseline; " : " x the median; ") +
                     small_share(share_near(card)) + " of what runs is within 5 % of it");
  if (known) {
    add("baseline", metric_text(space.objective, start(card)) + ", better than " +
                        percent(percentile(card)) + " of what runs");
  } else {
    add("median",
        metric_text(space.objective, start(card)) + " of what runs; no baseline is stated");
  }
  const std::string from_random = grouped(climbs.at_best) + " of " + grouped(climbs.starts) +
                                  " climbs from random starts end at the best";
  if (const auto one = gap_closed(card, climbs.from_baseline); one && known) {
    add("climbs", "one knob at a time from the baseline closes " + percent(*one) +
                      " of the gap, up to two " +
                      percent(gap_closed(card, climbs.from_baseline_pairs).value_or(0.0)) + "; " +
                      from_random);
  } else if (climbs.starts > 0) {
    add("climbs", from_random);
  }
  if (card.landscape.explained) {
    add("variance", "single knobs explain " + percent(card.landscape.explained->singles) +
                        " of that of the logarithm, pairs " +
                        percent(card.landscape.explained->pairs) + " more");
  }
  return facts;
}

std::string unquoted(std::string value) {
  std::erase(value, '"');
  return value;
}

/// The settings of the optimum; where there is a baseline, those that it has otherwise.
Table optimum_table(const SuiteCard& card) {
  const scenarios::SearchSpace& space = card.scenario.space;
  const scenarios::ConfigText& best = card.space.optimum->configs.front();
  if (!card.space.baseline.value) {
    Table table{.columns = {{"setting", "setting"}, {"optimum", "optimum"}}};
    for (const auto& [name, value] : best) table.rows.push_back({name, unquoted(value)});
    return table;
  }
  Table table{
      .columns = {{"setting", "setting"}, {"baseline", "baseline"}, {"optimum", "optimum"}}};
  const scenarios::Placement baseline = space.from_plan(card.scenario.baseline);
  const auto of_baseline = config_text(space, baseline.configuration);
  constexpr const char* inactive = "(not active)";
  const auto value_in = [&](const scenarios::ConfigText& of, const std::string& name) {
    const auto found = std::ranges::find(of, name, &scenarios::ConfigText::value_type::first);
    return found == of.end() ? std::string(inactive) : unquoted(found->second);
  };
  for (const auto& parameter : space.parameters()) {
    const std::string name(parameter.setting->name);
    const std::string before = value_in(of_baseline, name);
    const std::string after = value_in(best, name);
    if (before != after) table.rows.push_back({name, before, after});
  }
  return table;
}

void add_card(const SuiteCard& card, Document& document) {
  std::string id = card.scenario.name;
  std::ranges::replace(id, '@', '-');
  document.add(Heading{card.scenario.name, id});
  document.add(Paragraph{card.scenario.summary + ". " + hardness(card)});
  Drawing drawing = distribution_drawing(card.space);
  drawing.stem = id;
  drawing.figure.name = id;
  document.add(std::move(drawing), Media::written);
  document.add(facts_of(card));
  document.add(optimum_table(card));
}

}  // namespace

std::string hardness(const SuiteCard& card) {
  constexpr double done = 0.95;
  const double one = gap_closed(card, card.landscape.climbs.from_baseline).value_or(0.0);
  const double two = gap_closed(card, card.landscape.climbs.from_baseline_pairs).value_or(0.0);
  std::string text;
  if (!card.space.baseline.value) {
    text = "Real runs, so few that a budget is a good part of them";
  } else if (one >= done) {
    text = "Here a climb of one knob at a time wins, and models must not lose";
  } else if (two >= done) {
    text = "A climb of one knob at a time stops short: two have to change together";
  } else {
    text = "No climb of up to two knobs from the baseline gets there: more have to change together";
  }
  const double memory = share_failed(card.space, {Reason::oom_init, Reason::oom_late});
  if (memory > 0.5) text += "; most of the space runs out of memory";
  return text + ".";
}

Document suite_document(const scenarios::Suite& suite, const std::vector<SuiteCard>& cards,
                        const SuiteScores& scores) {
  Document document{.title = "Suite " + suite.name, .contents = true};
  document.add(Paragraph{suite.summary});
  if (const auto& score = scores.from_baseline) {
    const bool granted = score->from_median.empty();
    add_score_table(*score, granted ? "Scores from the baseline" : "Scores", document);
    add_score_figures(*score, "score", document);
    add_power(*score, document);
  }
  if (const auto& score = scores.from_nothing) {
    add_score_table(*score, "Scores without it", document);
  }
  for (const SuiteCard& card : cards) add_card(card, document);
  return document;
}

nlohmann::ordered_json suite_json(const scenarios::Suite& suite,
                                  const std::vector<SuiteCard>& cards, const SuiteScores& scores) {
  nlohmann::ordered_json document = support::new_document("suite");
  document["suite"] = suite.name;
  document["problems"] = nlohmann::ordered_json::array();
  for (const SuiteCard& card : cards) {
    nlohmann::ordered_json problem{{"scenario", card.scenario.name},
                                   {"trials", card.trials},
                                   {"configurations", card.space.configurations},
                                   {"optimum", card.space.optimum->value},
                                   {"baseline", nullptr},
                                   {"median", median(card.space)}};
    if (const auto baseline = card.space.baseline.value) problem["baseline"] = *baseline;
    document["problems"].push_back(std::move(problem));
  }
  const auto json_of = [](const std::optional<SuiteScore>& score) {
    return score ? score_json(*score) : nlohmann::ordered_json(nullptr);
  };
  document["scores"] = {{"baseline", json_of(scores.from_baseline)},
                        {"none", json_of(scores.from_nothing)}};
  return document;
}

}  // namespace cubicbench::results
