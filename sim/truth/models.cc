#include "sim/truth/models.h"

namespace cubicbench::sim {
namespace {

constexpr NoiseModel silence{};
constexpr NoiseModel field{.jitter = field_jitter, .run = field_run_noise};
constexpr FailureModel reliable{};

}  // namespace

const NoiseModel* find_noise_model(std::string_view name) {
  if (name == "none") return &silence;
  return name == "field" ? &field : nullptr;
}

const FailureModel* find_failure_model(std::string_view name) {
  if (name == "none") return &reliable;
  return name == "llama3-2024" ? &llama3_2024 : nullptr;
}

}  // namespace cubicbench::sim
