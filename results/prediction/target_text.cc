#include "results/prediction/target_text.h"

#include <algorithm>

namespace cubicbench::results {
namespace {

constexpr std::string_view per_gpu = "_per_gpu";

/// "tokens_per_s" as "tokens/s"; other names with spaces for underscores.
std::string rate_text(std::string_view name) {
  constexpr std::string_view per_second = "_per_s";
  const bool rate = name.ends_with(per_second);
  if (rate) name.remove_suffix(per_second.size());
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return rate ? text + "/s" : text;
}

}  // namespace

bool is_per_gpu(const datasets::Dataset& data) { return data.target.ends_with(per_gpu); }

double whole_job(const datasets::Dataset& data, const datasets::Job& job, double value) {
  return is_per_gpu(data) ? value * static_cast<double>(job.gpus) : value;
}

std::string whole_job_unit(const datasets::Dataset& data) {
  std::string_view name = data.target;
  if (is_per_gpu(data)) name.remove_suffix(per_gpu.size());
  return rate_text(name);
}

std::string target_text(std::string_view target) {
  if (!target.ends_with(per_gpu)) return rate_text(target);
  return rate_text(target.substr(0, target.size() - per_gpu.size())) + " per GPU";
}

}  // namespace cubicbench::results
