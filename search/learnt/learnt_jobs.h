#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/constrained_gp/told_jobs.h"

namespace cubicbench::search {

/// Places of the jobs that ran, at most `count`, the best first.
std::vector<std::size_t> best_jobs(std::span<const Job> jobs, std::size_t count);
/// Their configurations.
std::vector<scenarios::Configuration> best_configs(std::span<const Job> jobs, std::size_t count);

/// The same lesson as value_lesson(), and of every job that failed, unless nodes broke, that it is
/// worth what the worst is that ran: for models that know of no failures. Nothing where none ran.
Lesson lesson_with_failures(std::span<const Job> jobs);

}  // namespace cubicbench::search
