#include "search/constrained_gp/study_models.h"

namespace cubicbench::search {

using scenarios::Configuration;

StudyModels::StudyModels(const scenarios::SearchSpace& space, const ModelOptions& options)
    : space_(space), axes_(space), models_(axes_.axes(), options) {}

void StudyModels::start(const Configuration& config, std::int64_t number) {
  running_.push_back({.config = config, .number = number});
}

void StudyModels::end(const ToldTrial& trial) {
  std::erase_if(running_, [&](const Running& one) { return one.config == trial.config; });
  models_.add(job_of(trial, axes_.levels_of(trial.config), gpus_of(trial.config)));
  give_up_overtaken(trial.trial);
  believed_ = 0;
}

/// Who is told of no failure sees it in what is never told.
void StudyModels::give_up_overtaken(std::int64_t by) {
  constexpr std::int64_t patience = 8;
  std::erase_if(running_, [&](Running& one) {
    if (one.number < by) ++one.overtaken;
    if (one.overtaken < patience) return false;
    models_.add(
        {.config = one.config, .levels = axes_.levels_of(one.config), .end = JobEnd::failed});
    return true;
  });
}

/// 1 where launches do not differ in it.
double StudyModels::gpus_of(const Configuration& config) const {
  const int knob = space_.find("gpus");
  if (knob < 0) return 1.0;
  const auto parameter = static_cast<std::size_t>(knob);
  if (config[parameter] == scenarios::inactive) return 1.0;
  return static_cast<double>(
      space_.parameters()[parameter].values[static_cast<std::size_t>(config[parameter])]);
}

bool StudyModels::learn() {
  models_.learn();
  if (!models_.informed()) return false;
  for (; believed_ < running_.size(); ++believed_) {
    models_.believe(axes_.levels_of(running_[believed_].config));
  }
  return true;
}

std::vector<Configuration> StudyModels::best(std::size_t count) const {
  std::vector<Configuration> best;
  for (const std::size_t job : models_.best_jobs(count)) best.push_back(models_.jobs()[job].config);
  return best;
}

}  // namespace cubicbench::search
