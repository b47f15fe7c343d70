#include "predictor/neural/losses.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/numeric.h"

namespace cubicbench::predictor {

float margin_ranking_loss(std::span<const float> scores, std::span<const float> targets,
                          float margin, std::span<float> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0F);
  float sum = 0.0F;
  int pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (targets[i] == targets[j]) continue;
      ++pairs;
      const float sign = targets[i] > targets[j] ? 1.0F : -1.0F;
      const float loss = margin - sign * (scores[i] - scores[j]);
      if (loss <= 0.0F) continue;
      sum += loss;
      gradient[i] -= sign;
      gradient[j] += sign;
    }
  }
  if (pairs == 0) return 0.0F;
  const float share = 1.0F / static_cast<float>(pairs);
  for (float& slope : gradient) slope *= share;
  return sum * share;
}

float squared_loss(std::span<const float> scores, std::span<const float> targets,
                   std::span<float> gradient) {
  const float share = 1.0F / static_cast<float>(scores.size());
  float sum = 0.0F;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float error = scores[i] - targets[i];
    sum += error * error;
    gradient[i] = 2.0F * share * error;
  }
  return sum * share;
}

float logistic_loss(std::span<const float> scores, std::span<const float> targets,
                    std::span<float> gradient) {
  const float share = 1.0F / static_cast<float>(scores.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double score = static_cast<double>(scores[i]);
    const double happened = static_cast<double>(targets[i]);
    // ln(1 + e^-x) = max(-x, 0) + ln(1 + e^-|x|), which no x overflows.
    const double towards = happened > 0.5 ? score : -score;
    sum += std::max(-towards, 0.0) + sim::log(1.0 + sim::exp(towards < 0.0 ? towards : -towards));
    gradient[i] = share * static_cast<float>(logistic(score) - happened);
  }
  return share * static_cast<float>(sum);
}

double logistic(double score) { return 1.0 / (1.0 + sim::exp(-score)); }

}  // namespace cubicbench::predictor
