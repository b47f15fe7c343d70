#include "predictor/neural/adam.h"

#include <Eigen/Core>

#include "sim/base/check.h"

namespace cubicbench::predictor {

Adam::Adam(std::size_t parameters, const Options& options)
    : options_(options), mean_(parameters), square_(parameters) {}

void Adam::step(std::span<float> parameters, std::span<const float> gradients, double rate) {
  SIM_ASSERT(parameters.size() == mean_.size(), parameters.size(), mean_.size());
  SIM_ASSERT(gradients.size() == mean_.size(), gradients.size(), mean_.size());
  mean_left_ *= options_.mean_decay;
  square_left_ *= options_.square_decay;
  const auto size = static_cast<Eigen::Index>(mean_.size());
  Eigen::Map<Eigen::ArrayXf> mean(mean_.data(), size);
  Eigen::Map<Eigen::ArrayXf> square(square_.data(), size);
  const Eigen::Map<const Eigen::ArrayXf> gradient(gradients.data(), size);
  const auto keep_mean = static_cast<float>(options_.mean_decay);
  const auto keep_square = static_cast<float>(options_.square_decay);
  mean = keep_mean * mean + static_cast<float>(1.0 - options_.mean_decay) * gradient;
  square =
      keep_square * square + static_cast<float>(1.0 - options_.square_decay) * gradient.square();
  // Both means begin at zero; the divisors take that bias out [Kingma15, section 3].
  const auto length = static_cast<float>(rate / (1.0 - mean_left_));
  const auto bias = static_cast<float>(1.0 / (1.0 - square_left_));
  Eigen::Map<Eigen::ArrayXf>(parameters.data(), size) -=
      length * mean / ((square * bias).sqrt() + static_cast<float>(options_.epsilon));
}

}  // namespace cubicbench::predictor
