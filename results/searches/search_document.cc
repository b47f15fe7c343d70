#include "results/searches/search_document.h"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/score/score_document.h"
#include "results/studies/study_commands.h"
#include "support/joined.h"
#include "support/json/json_document.h"
#include "support/statistics/mean.h"

namespace cubicbench::results {
namespace {

using Problems = std::vector<const SearchedProblem*>;

/// Names a study within a search.
using StudyKey = std::tuple<std::string_view, std::int64_t, std::string_view, std::int64_t>;

template <class Study>
StudyKey key_of(const Study& study) {
  return {study.scenario, study.instance, study.searcher, study.seed};
}

std::map<StudyKey, const StudyEnd*> ends_of(const SearchJudgement& judgement) {
  std::map<StudyKey, const StudyEnd*> ends;
  for (const SearchedProblem& problem : judgement.problems) {
    for (const SearchedSeries& series : problem.series) {
      for (const StudyEnd& end : series.end.ends) ends.emplace(key_of(*end.study), &end);
    }
  }
  return ends;
}

/// The searcher's studies on all instances; every searcher's where `searcher` is "".
SeriesEnd together(const Problems& problems, const std::string& searcher) {
  SeriesEnd all{.name = searcher};
  for (const SearchedProblem* const problem : problems) {
    for (const SearchedSeries& series : problem->series) {
      for (const StudyEnd& end : series.end.ends) {
        if (!searcher.empty() && end.study->searcher != searcher) continue;
        all.ends.push_back(end);
        all.ends.back().curve.reset();  // a number per launch, which no table shows
      }
    }
  }
  return all;
}

/// "instance 3", "instances 1, 4".
std::string instances_text(const Problems& problems) {
  return (problems.size() == 1 ? "instance " : "instances ") +
         support::joined(problems, ", ", [](const SearchedProblem* of) {
           return std::to_string(of->study->instance);
         });
}

/// How regret is to be read; `known` are the instances that have it, of `instances`.
std::string scale_text(const Problems& known, std::size_t instances, const SeriesEnd& all) {
  const std::size_t measured = all.all(&StudyEnd::regret).size();
  std::string text = "Regret is the mean over ";
  text += measured == all.ends.size()
              ? "the studies"
              : grouped(measured) + " of " + counted(all.ends.size(), "study", "studies");
  text += ", of the recommendation without noise: 0 is the optimum ";
  if (known.size() == 1) {
    const search::RegretScale& scale = *known.front()->yardstick.scale;
    text +=
        "(" + scaled(scale.best) + "), 1 the median of what runs (" + scaled(scale.reference) + ")";
    if (instances > 1 || known.front()->study->instance != 0) {
      text += ", both of " + instances_text(known);
    }
  } else {
    text += "of the study's instance, 1 the median of what runs there";
  }
  if (const auto mean = support::mean_if_any(all.all(&StudyEnd::random_regret))) {
    text += "; random search reaches " + regret_text(*mean) + " on average";
  }
  return text + ".";
}

/// Which instances have no regret, and why the first of them has none.
void add_unknown(const Problems& unknown, Document& document) {
  const KnownSpace& why = unknown.front()->known;
  document.add(Paragraph{
      (unknown.size() == 1 ? "" : "There is no regret of " + instances_text(unknown) + ". ") +
      why.note});
  if (!why.command.empty()) document.add(Command{why.command});
}

/// The suite that was searched; "" where its problems were named one by one.
std::string suite_of(const SearchJudgement& judgement) {
  const bool known = judgement.set && !judgement.set->folders.empty();
  return known ? judgement.set->folders.front().asked.suite : "";
}

void add_scenario(const Problems& problems, const search::AskedScenario& scenario,
                  const std::vector<std::string>& searchers, Document& document) {
  std::vector<SeriesEnd> rows;
  for (const std::string& searcher : searchers) rows.push_back(together(problems, searcher));
  Table table = chosen(table_of<SeriesEnd>(rows, series_fields()),
                       {"searcher", "studies", "launches", "failed_share", "median_best", "best",
                        "cost_gpu_hours", "mean_regret"});
  drop_unknown(table, {"mean_regret"});
  Problems known;
  Problems unknown;
  for (const SearchedProblem* const problem : problems) {
    (problem->yardstick.scale ? known : unknown).push_back(problem);
  }
  const bool maximize = scenario.objective.direction == scenarios::Direction::maximize;
  document.add(Heading{scenario.name + ": " + std::string(name_of(scenario.objective)) + ", " +
                       (maximize ? "greater" : "less") + " is better"});
  document.add(table);
  if (!known.empty()) {
    document.add(Paragraph{scale_text(known, problems.size(), together(problems, ""))});
  }
  if (!unknown.empty()) add_unknown(unknown, document);
}

SearchJudgement judgement_of(search::StudySet set, const GivenSpaces& given) {
  SearchJudgement judgement{.set = std::make_shared<const search::StudySet>(std::move(set))};
  judgement.problems = searched_problems(*judgement.set, given, {.drawn = false});
  return judgement;
}

}  // namespace

SearchJudgement judge_search(const std::filesystem::path& out, const GivenSpaces& given) {
  return judgement_of(search::read_study_set(std::array{out}), given);
}

SearchJudgement judge_search(const std::filesystem::path& out,
                             std::vector<search::StudyRecord> records) {
  return judgement_of(search::study_set_of(out, std::move(records)), {});
}

nlohmann::ordered_json search_json(const search::SearchResult& result,
                                   const SearchJudgement& judgement) {
  nlohmann::ordered_json document = support::new_document("search");
  document["studies"] = nlohmann::ordered_json::array();
  const std::map<StudyKey, const StudyEnd*> ends = ends_of(judgement);
  for (const search::StudySummary& summary : result.studies) {
    const auto end = ends.find(key_of(summary));
    const SearchedStudy study{.summary = &summary,
                              .end = end == ends.end() ? nullptr : end->second};
    document["studies"].push_back(json_of(study, searched_study_fields()));
  }
  if (!suite_of(judgement).empty()) {
    document["score"] = score_json(suite_score(judgement.problems));
  }
  return document;
}

void add_search_tables(const SearchJudgement& judgement, Document& document) {
  for (const search::SearchedFolder& folder : judgement.set->folders) {
    for (const search::AskedScenario& scenario : folder.asked.scenarios) {
      Problems problems;
      for (const SearchedProblem& problem : judgement.problems) {
        if (problem.study->scenario == scenario.name) problems.push_back(&problem);
      }
      add_scenario(problems, scenario, folder.asked.searchers, document);
    }
  }
}

Document search_document(const SearchJudgement& judgement, const std::string& out) {
  Document document;
  const std::string suite = suite_of(judgement);
  if (suite.empty()) {
    add_search_tables(judgement, document);
  } else {
    add_score_table(suite_score(judgement.problems), "Suite " + suite, document);
  }
  document.add(Paragraph{"The journals are in " + out + ". Next:"});
  document.add(Command{"cubicbench report " + shell_word(out) + " --out page.html"});
  return document;
}

}  // namespace cubicbench::results
