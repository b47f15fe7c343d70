#include "results/prediction/target_text.h"

#include <algorithm>
#include <string_view>

namespace cubicbench::results {

double whole_job(const datasets::Dataset& data, const datasets::Job& job, double value) {
  return is_per_gpu(data) ? value * static_cast<double>(job.gpus) : value;
}

std::string whole_job_unit(const datasets::Dataset& data) {
  std::string_view name = data.target;
  const auto ended_in = [&name](std::string_view ending) {
    const bool ended = name.ends_with(ending);
    if (ended) name.remove_suffix(ending.size());
    return ended;
  };
  ended_in("_per_gpu");
  const bool is_rate = ended_in("_per_s");
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return is_rate ? text + "/s" : text;
}

std::string target_text(const datasets::Dataset& data) {
  return whole_job_unit(data) + (is_per_gpu(data) ? " per GPU" : "");
}

}  // namespace cubicbench::results
