#include "predictor/neural/mlp_ensemble.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "predictor/neural/adam.h"
#include "predictor/neural/eigen_blocking.h"
#include "predictor/neural/losses.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/interruption.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

constexpr std::uint64_t resample_entity = std::uint64_t{1} << 39;
constexpr std::uint64_t order_entity = std::uint64_t{1} << 40;  // above those of first weights

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

struct Moments {
  double mean = 0.0;
  double deviation = 1.0;  ///< 1 where nothing varies
};

Moments moments_of(std::span<const double> values) {
  const double mean = support::mean(values);
  const double deviation = std::sqrt(support::variance(values, support::Drawn::all));
  return {.mean = mean, .deviation = deviation > 1e-9 * std::abs(mean) ? deviation : 1.0};
}

MlpRows rows_of(const MlpInput& input, std::size_t columns, std::span<const double> cells,
                std::size_t rows) {
  const std::size_t categories = input.categories().size();
  MlpRows encoded{.rows = rows,
                  .numbers = std::vector<float>(rows * input.numbers()),
                  .vectors = std::vector<std::int32_t>(rows * categories)};
  for (std::size_t i = 0; i < rows; ++i) {
    input.write(cells.subspan(i * columns, columns),
                std::span(encoded.numbers).subspan(i * input.numbers(), input.numbers()),
                std::span(encoded.vectors).subspan(i * categories, categories));
  }
  return encoded;
}

/// Fisher-Yates, by draws of one member and epoch.
void shuffle(std::span<std::size_t> order, std::uint64_t seed, std::size_t member,
             std::size_t epoch) {
  sim::Draw draw{.seed = seed,
                 .purpose = sim::Purpose::learner,
                 .entity = order_entity + (std::uint64_t{member} << 20) + epoch,
                 .draw = 0};
  for (std::size_t left = order.size(); left > 1; --left) {
    const std::uint64_t chosen = sim::uniform_below(draw, left);
    ++draw.draw;
    std::swap(order[left - 1], order[chosen]);
  }
}

float loss_of(const MlpOptions& options, std::span<const float> scores,
              std::span<const float> targets, std::span<float> slopes) {
  switch (options.loss) {
    case MlpLoss::ranking:
      return margin_ranking_loss(scores, targets, static_cast<float>(options.margin), slopes);
    case MlpLoss::squared:
      return squared_loss(scores, targets, slopes);
    case MlpLoss::logistic:
      return logistic_loss(scores, targets, slopes);
  }
  return 0.0F;
}

/// Trains one member.
class Training {
 public:
  Training(const MlpShape& shape, const MlpRows& rows, std::span<const float> targets,
           const MlpOptions& options)
      : shape_(shape), rows_(rows), targets_(targets), options_(options), pass_(shape) {}

  std::vector<float> run(std::size_t member) {
    std::vector<float> parameters = first_weights(shape_, options_.seed, member);
    Adam adam(parameters.size());
    std::vector<std::size_t> order(rows_.rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options_.resample) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = sim::uniform_below({.seed = options_.seed,
                                       .purpose = sim::Purpose::learner,
                                       .entity = resample_entity + member,
                                       .draw = static_cast<std::uint32_t>(i)},
                                      rows_.rows);
      }
    }
    // Batches of equal size, give or take one row.
    const std::size_t batches = std::max<std::size_t>(
        1, (rows_.rows + options_.batch / 2) / std::max<std::size_t>(options_.batch, 1));
    const std::size_t steps = std::min(options_.steps_max, options_.epochs * batches);
    for (std::size_t step = 0; step < steps; ++step) {
      support::end_if_interrupted();
      const std::size_t batch = step % batches;
      if (batch == 0) shuffle(order, options_.seed, member, step / batches);
      const std::size_t begin = batch * rows_.rows / batches;
      const std::size_t end = (batch + 1) * rows_.rows / batches;
      const double rate =
          options_.rate * (1.0 - static_cast<double>(step) / static_cast<double>(steps));
      descend(std::span(order).subspan(begin, end - begin), rate, parameters, adam);
    }
    return parameters;
  }

  std::vector<float> scores(std::span<const float> parameters) {
    std::vector<std::size_t> all(rows_.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<float> scores(rows_.rows);
    pass_.forward(parameters, rows_, all, scores);
    return scores;
  }

 private:
  void descend(std::span<const std::size_t> batch, double rate, std::span<float> parameters,
               Adam& adam) {
    scores_.resize(batch.size());
    slopes_.resize(batch.size());
    wanted_.resize(batch.size());
    gradient_.resize(parameters.size());
    for (std::size_t i = 0; i < batch.size(); ++i) wanted_[i] = targets_[batch[i]];
    pass_.forward(parameters, rows_, batch, scores_);
    loss_of(options_, scores_, wanted_, slopes_);
    pass_.backward(parameters, rows_, batch, slopes_, gradient_);
    const auto keep = static_cast<float>(1.0 - rate * options_.decay);
    for (float& parameter : parameters) parameter *= keep;
    adam.step(parameters, gradient_, rate);
  }

  const MlpShape& shape_;
  const MlpRows& rows_;
  std::span<const float> targets_;
  const MlpOptions& options_;
  MlpPass pass_;
  std::vector<float> scores_, slopes_, wanted_, gradient_;
};

}  // namespace

MlpEnsemble::MlpEnsemble(std::span<const datasets::Column> columns, std::span<const double> cells,
                         std::span<const double> targets, const MlpOptions& options)
    : options_(options), columns_(columns.size()), input_(columns, cells) {
  SIM_ASSERT(!targets.empty());
  SIM_ASSERT(cells.size() == targets.size() * columns.size(), cells.size(), targets.size());
  const MlpShape shape = MlpShape::of(input_, options.hidden);
  const MlpRows rows = rows_of(input_, columns_, cells, targets.size());
  const bool standardise = options.loss != MlpLoss::logistic;
  const Moments moments = standardise ? moments_of(targets) : Moments{};
  std::vector<float> wanted(targets.size());
  std::transform(targets.begin(), targets.end(), wanted.begin(), [&](double target) {
    return static_cast<float>((target - moments.mean) / moments.deviation);
  });
  const std::size_t across = options.members * options.hidden;
  first_bias_.resize(across);
  first_of_number_.resize(shape.numbers * across);
  for (const std::size_t vectors : shape.vectors) first_of_.emplace_back(vectors * across);
  Training training(shape, rows, wanted, options);
  for (std::size_t m = 0; m < options.members; ++m) {
    const std::vector<float> parameters = training.run(m);
    Member member;
    member.shift = moments.mean;
    member.scale = moments.deviation;
    if (options.loss == MlpLoss::ranking) {
      const std::vector<float> scores = training.scores(parameters);
      const Moments own = moments_of(std::vector<double>(scores.begin(), scores.end()));
      member.scale = 1.0 / own.deviation;
      member.shift = -own.mean / own.deviation;
    }
    const auto part = [&](std::size_t begin, std::size_t size) {
      const auto at = parameters.begin() + static_cast<std::ptrdiff_t>(begin);
      return std::vector<float>(at, at + static_cast<std::ptrdiff_t>(size));
    };
    member.second = part(shape.second(), shape.hidden * shape.hidden);
    member.second_bias = part(shape.second_bias(), shape.hidden);
    member.last = part(shape.last(), shape.hidden);
    member.last_bias = parameters[shape.last_bias()];
    members_.push_back(std::move(member));
    const auto row_of = [&](std::vector<float>& table, std::size_t row) {
      return Eigen::Map<Eigen::VectorXf>(table.data() + row * across + m * shape.hidden,
                                         index(shape.hidden));
    };
    const Eigen::Map<const Eigen::MatrixXf> first(parameters.data() + shape.first(),
                                                  index(shape.hidden), index(shape.inputs()));
    row_of(first_bias_, 0) = Eigen::Map<const Eigen::VectorXf>(
        parameters.data() + shape.first_bias(), index(shape.hidden));
    for (std::size_t i = 0; i < shape.numbers; ++i) {
      row_of(first_of_number_, i) = first.col(index(i));
    }
    const float* vector = parameters.data();
    std::size_t input = shape.numbers;
    for (std::size_t c = 0; c < shape.vectors.size(); ++c) {
      const std::size_t width = shape.widths[c];
      for (std::size_t v = 0; v < shape.vectors[c]; ++v, vector += width) {
        row_of(first_of_[c], v).noalias() = first.middleCols(index(input), index(width)) *
                                            Eigen::Map<const Eigen::VectorXf>(vector, index(width));
      }
      input += width;
    }
  }
}

void MlpEnsemble::first_layer(std::span<const double> row, std::size_t begin,
                              std::span<float> hidden) const {
  std::vector<float> numbers(input_.numbers());
  std::vector<std::int32_t> vectors(input_.categories().size());
  input_.write(row, numbers, vectors);
  const std::size_t across = options_.members * options_.hidden;
  const std::size_t from = begin * options_.hidden;
  const auto part = [&](const std::vector<float>& table, std::size_t which) {
    return Eigen::Map<const Eigen::VectorXf>(table.data() + which * across + from,
                                             index(hidden.size()));
  };
  Eigen::Map<Eigen::VectorXf> sum(hidden.data(), index(hidden.size()));
  sum = part(first_bias_, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) sum += numbers[i] * part(first_of_number_, i);
  for (std::size_t c = 0; c < vectors.size(); ++c) {
    if (vectors[c] == MlpInput::unseen) continue;
    sum += part(first_of_[c], static_cast<std::size_t>(vectors[c]));
  }
  sum = sum.cwiseMax(0.0F);
}

std::vector<double> MlpEnsemble::predict(std::span<const double> cells, std::size_t rows) const {
  return predict(cells, rows, 0, options_.members);
}

std::vector<double> MlpEnsemble::predict(std::span<const double> cells, std::size_t rows,
                                         std::size_t begin, std::size_t count) const {
  SIM_ASSERT(cells.size() == rows * columns_, cells.size(), rows);
  SIM_ASSERT(count >= 1 && begin + count <= options_.members, begin, count);
  fix_eigen_blocking();
  const Eigen::Index hidden = index(options_.hidden);
  std::vector<double> mean(rows);
  constexpr std::size_t block = 32;
  Eigen::MatrixXf first = Eigen::MatrixXf::Zero(index(count) * hidden, index(block));
  Eigen::MatrixXf second(hidden, index(block));
  for (std::size_t done = 0; done < rows; done += block) {
    support::end_if_interrupted();
    const std::size_t now = std::min(block, rows - done);
    for (std::size_t i = 0; i < now; ++i) {
      first_layer(cells.subspan((done + i) * columns_, columns_), begin,
                  std::span(first.col(index(i)).data(), count * options_.hidden));
    }
    // Whole groups of four columns: a product treats those that are left over differently.
    auto wide = second.leftCols(index((now + 3) / 4 * 4));
    for (std::size_t m = 0; m < count; ++m) {
      const Member& member = members_[begin + m];
      wide.noalias() = Eigen::Map<const Eigen::MatrixXf>(member.second.data(), hidden, hidden) *
                       first.block(index(m) * hidden, 0, hidden, wide.cols());
      wide.colwise() += Eigen::Map<const Eigen::VectorXf>(member.second_bias.data(), hidden);
      wide = wide.cwiseMax(0.0F);
      const Eigen::Map<const Eigen::VectorXf> last(member.last.data(), hidden);
      for (std::size_t i = 0; i < now; ++i) {
        const auto output = static_cast<double>(last.dot(second.col(index(i))) + member.last_bias);
        const double scaled = member.shift + member.scale * output;
        mean[done + i] += options_.loss == MlpLoss::logistic ? logistic(scaled) : scaled;
      }
    }
  }
  for (double& prediction : mean) prediction /= static_cast<double>(count);
  return mean;
}

}  // namespace cubicbench::predictor
