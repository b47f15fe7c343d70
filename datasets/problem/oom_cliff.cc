#include "datasets/problem/oom_cliff.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/numeric.h"
#include "support/json/canonical.h"

namespace cubicbench::datasets {
namespace {

struct Degree {
  int degree;
  double speed;
};
/// A sharding, or a way to recompute.
struct Choice {
  const char* name;
  double speed;
  double memory;
};

constexpr std::array limits_gb{80, 40};
constexpr std::array micro_batches{1, 2, 4, 8, 16, 32};
constexpr std::array tensor_degrees{Degree{1, 1.0}, Degree{2, 0.97}, Degree{4, 0.90},
                                    Degree{8, 0.78}};
constexpr std::array pipeline_degrees{1, 2, 4, 8};
constexpr std::array shardings{Choice{"no_shard", 1.0, 1.0}, Choice{"zero1", 0.995, 0.45},
                               Choice{"shard_grad_op", 0.98, 0.35},
                               Choice{"full_shard", 0.93, 0.15}};
constexpr std::array recomputes{Choice{"none", 1.0, 1.0}, Choice{"selective", 0.96, 0.45},
                                Choice{"full", 0.76, 0.08}};
constexpr std::array buckets_mb{25, 50, 100, 200};

struct Point {
  int micro_batch;
  Degree tensor;
  int pipeline;
  Choice sharding;
  Choice recompute;
  bool overlap;
  int bucket_mb;
};

double speed_of(const Point& point) {
  const double m = point.micro_batch;
  const double batch = 1.0 / (0.35 * sim::pow(m, -0.7) + 0.65);
  const double bubble = 1.0 + 0.25 * (point.pipeline - 1) / (4.0 * std::max(1.0, 8.0 / m));
  const double bucket = 1.0 - 0.01 * std::abs(sim::log2(point.bucket_mb / 100.0));
  return batch * point.tensor.speed / bubble * point.recompute.speed * point.sharding.speed *
         (point.overlap ? 1.04 : 1.0) * bucket;
}

double memory_gb_of(const Point& point) {
  const double states = point.sharding.memory * 140.0 / (point.tensor.degree * point.pipeline);
  const double activations = point.recompute.memory * 9.0 * point.micro_batch / point.tensor.degree;
  return states + activations + 0.02 * point.bucket_mb;
}

std::string row_of(const Point& point, int limit_gb) {
  constexpr double gb = 1e9;
  const double memory_gb = memory_gb_of(point);
  const double speed = speed_of(point);
  std::string row = "1,oom-cliff," + std::to_string(point.micro_batch) + "," +
                    std::to_string(point.tensor.degree) + "," + std::to_string(point.pipeline) +
                    "," + point.sharding.name + "," + point.recompute.name + "," +
                    (point.overlap ? "1," : "0,") + std::to_string(point.bucket_mb) + "," +
                    support::shortest(memory_gb) + "," + std::to_string(limit_gb);
  if (memory_gb > limit_gb) {
    return row + ",oom,,," + support::shortest((memory_gb - limit_gb) * gb) + "\n";
  }
  return row + ",ok," + support::shortest(speed) + "," + support::shortest(1.0 / speed) + ",\n";
}

/// Calls `add` with every configuration, the last knob turning fastest.
template <typename Add>
void for_every_point(Add add) {
  for (const int micro_batch : micro_batches) {
    for (const Degree& tensor : tensor_degrees) {
      for (const int pipeline : pipeline_degrees) {
        for (const Choice& sharding : shardings) {
          for (const Choice& recompute : recomputes) {
            for (const bool overlap : {false, true}) {
              for (const int bucket_mb : buckets_mb) {
                add({micro_batch, tensor, pipeline, sharding, recompute, overlap, bucket_mb});
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace

std::string oom_cliff_csv() {
  std::string text =
      "n_gpus,model,micro_batch,tp,pp,sharding,recompute,overlap,bucket_mb,memory_gb,limit_gb,"
      "status,tokens_per_s_per_gpu,step_time_s,over_bytes\n";
  for (const int limit_gb : limits_gb) {
    for_every_point([&](const Point& point) { text += row_of(point, limit_gb); });
  }
  return text;
}

}  // namespace cubicbench::datasets
