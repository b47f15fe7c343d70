#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cubicbench::predictor {

/// Adam [Kingma15, algorithm 1]: steps along the running mean of the gradient, each number's scaled
/// by the running mean of its square. Minimises.
class Adam {
 public:
  /// Defaults of the source, section 2.
  struct Options {
    double mean_decay = 0.9;
    double square_decay = 0.999;
    double epsilon = 1e-8;
  };

  explicit Adam(std::size_t parameters) : Adam(parameters, Options{}) {}
  Adam(std::size_t parameters, const Options& options);

  /// One step of length `rate` or less in each parameter. Requires as many parameters and gradients
  /// as there were at the beginning.
  void step(std::span<float> parameters, std::span<const float> gradients, double rate);

 private:
  Options options_;
  std::vector<float> mean_;
  std::vector<float> square_;
  double mean_left_ = 1.0;    ///< mean_decay to the power of the steps so far
  double square_left_ = 1.0;  ///< square_decay likewise
};

}  // namespace cubicbench::predictor
