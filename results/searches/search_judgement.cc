#include "results/searches/search_judgement.h"

#include <array>

#include "results/studies/study_problem.h"

namespace cubicbench::results {

SearchJudgement::SearchJudgement(const std::filesystem::path& out, const KnownSpaces& spaces)
    : set_(std::make_shared<const StudySet>(read_study_set(std::array{out}))) {
  for (const auto& studies : grouped_studies(*set_)) {
    const StudyProblem problem = problem_of(*studies.front());
    const StudyGroup group = group_of(studies, problem.objective.direction, {});
    groups_.push_back(group_regret(group, spaces, problem.baseline_value, {}));
  }
}

const StudyEnd* SearchJudgement::find(const search::StudySummary& summary) const {
  for (const GroupRegret& group : groups_) {
    for (const SeriesRegret& series : group.series) {
      for (const StudyEnd& end : series.ends) {
        const StudyResult& study = *end.study;
        if (study.scenario == summary.scenario && study.instance == summary.instance &&
            study.searcher == summary.searcher && study.seed == summary.seed) {
          return &end;
        }
      }
    }
  }
  return nullptr;
}

}  // namespace cubicbench::results
