#pragma once

#include <span>

#include "datasets/tables/measurement.h"
#include "scenarios/problem/scenario.h"
#include "search/finished/study_set.h"

namespace cubicbench::search {

/// The launches of all studies as rows of the measurement schema, in their order: what `dataset
/// import` writes. The plan of a row is the scenario's settings with the launch's over them, its
/// model and cluster are the scenario's. Column `source` begins with "cubicbench " where trials ran
/// in a simulator, `noise_free_tokens_per_s_per_gpu` has what is known of the truth then.
///
/// `scenarios` are those of the studies; each study takes the one with its scenario_sha256. Throws
/// InputError with every scenario whose runs the schema has no columns for (recommendation models,
/// tables of runs, the objective mfu), that is not there, or that has changed since.
datasets::Measurements runs_of(const StudySet& set, std::span<const scenarios::Scenario> scenarios);

}  // namespace cubicbench::search
