#include "results/suite/suite_document.h"

#include <algorithm>
#include <cmath>

#include "results/document/number_text.h"
#include "results/enumeration/enumeration_figures.h"
#include "results/score/score_document.h"
#include "results/simulation/shown_problem.h"
#include "support/joined.h"

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

/// How many times as good as the baseline the optimum is.
double gain(const SuiteCard& card) {
  const double ratio = card.space.optimum->value / *card.space.baseline.value;
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
  const double baseline = *card.space.baseline.value;
  return (end->value - baseline) / (card.space.optimum->value - baseline);
}

std::string small_share(double share) {
  return share < 0.0005 ? "less than 0.1 %" : percent(share);
}

Facts facts_of(const SuiteCard& card) {
  const Enumeration& space = card.space;
  const datasets::Climbs& climbs = card.landscape.climbs;
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
  add("optimum", metric_text(space.objective.metric, space.optimum->value) + ", certified, " +
                     fixed(gain(card), 2) + " x the baseline; " + small_share(share_near(card)) +
                     " of what runs is within 5 % of it");
  add("baseline", metric_text(space.objective.metric, *space.baseline.value) + ", better than " +
                      percent(percentile(card)) + " of what runs");
  if (const auto one = gap_closed(card, climbs.from_baseline)) {
    add("climbs", "one knob at a time from the baseline closes " + percent(*one) +
                      " of the gap, up to two " +
                      percent(gap_closed(card, climbs.from_baseline_pairs).value_or(0.0)) + "; " +
                      grouped(climbs.at_best) + " of " + grouped(climbs.starts) +
                      " climbs from random starts end at the best");
  }
  if (card.landscape.explained) {
    add("variance", "single knobs explain " + percent(card.landscape.explained->singles) +
                        " of that of the logarithm, pairs " +
                        percent(card.landscape.explained->pairs) + " more");
  }
  return facts;
}

/// The settings of the optimum that the baseline has otherwise.
Table optimum_table(const SuiteCard& card) {
  Table table{
      .columns = {{"setting", "setting"}, {"baseline", "baseline"}, {"optimum", "optimum"}}};
  const scenarios::SearchSpace& space = card.scenario.space;
  const scenarios::Placement baseline = space.from_plan(card.scenario.baseline);
  const auto of_baseline = config_text(space, baseline.configuration);
  constexpr const char* inactive = "(not active)";
  const auto value_in = [&](const scenarios::ConfigText& of, const std::string& name) {
    const auto found = std::ranges::find(of, name, &scenarios::ConfigText::value_type::first);
    std::string value = found == of.end() ? inactive : found->second;
    std::erase(value, '"');
    return value;
  };
  const scenarios::ConfigText& best = card.space.optimum->configs.front();
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
  if (one >= done) {
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
    add_score_table(*score, "Scores from the baseline", document);
    add_score_figures(*score, "score", document);
    add_power(*score, document);
  }
  if (const auto& score = scores.from_nothing) {
    add_score_table(*score, "Scores without it", document);
  }
  for (const SuiteCard& card : cards) add_card(card, document);
  return document;
}

}  // namespace cubicbench::results
