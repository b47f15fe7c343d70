#include "datasets/jobs/history_choice.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include "sim/base/binary_sizes.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"

namespace cubicbench::datasets {
namespace {

/// A model that is trained in the history, and how its recipe lays it out.
/// Shapes: [Llama3, table 3] for 8B, 70B and 405B; model cards of Llama 3.2 (1B, 3B), Llama 2 (13B)
/// and Code Llama (34B).
struct Model {
  std::string_view name;
  double params_b;
  std::int64_t layers, hidden, heads, kv_heads, ffn, vocabulary;
  std::int64_t tensor, pipeline;
};

constexpr std::array<Model, 7> models{{
    {"llama-like 1B", 1.24, 16, 2048, 32, 8, 8192, 128'256, 1, 1},
    {"llama-like 3B", 3.21, 28, 3072, 24, 8, 8192, 128'256, 1, 1},
    {"llama-like 8B", 8.03, 32, 4096, 32, 8, 14'336, 128'256, 1, 1},
    {"llama-like 13B", 13.0, 40, 5120, 40, 40, 13'824, 32'000, 2, 1},
    {"llama-like 34B", 33.7, 48, 8192, 64, 8, 22'016, 32'000, 4, 1},
    {"llama-like 70B", 70.6, 80, 8192, 64, 8, 28'672, 128'256, 8, 2},
    {"llama-like 405B", 405.9, 126, 16'384, 128, 8, 53'248, 128'256, 8, 8},
}};

constexpr std::int64_t gpus_per_node = 8;

/// The numbers that one choice is drawn from, one after the other.
class Dice {
 public:
  Dice(const HistoryOptions& options, std::int64_t number, std::uint32_t attempt)
      : next_{.seed = options.seed,
              .purpose = sim::Purpose::history,
              .entity = static_cast<std::uint64_t>(number),
              .draw = attempt * draws_per_attempt} {}

  double uniform() { return sim::uniform(advance()); }
  double normal() { return sim::standard_normal(advance()); }
  bool chance(double share) { return uniform() < share; }

  /// Position in `weights`, each as likely as its share of their sum.
  template <std::size_t n>
  std::size_t pick(const std::array<double, n>& weights) {
    double sum = 0.0;
    for (const double weight : weights) sum += weight;
    double left = uniform() * sum;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      left -= weights[i];
      if (left < 0.0) return i;
    }
    return n - 1;
  }

 private:
  static constexpr std::uint32_t draws_per_attempt = 256;

  sim::Draw advance() {
    const sim::Draw draw = next_;
    ++next_.draw;
    return draw;
  }

  sim::Draw next_;
};

std::int64_t power_of_two(double exponent) {
  return std::int64_t{1} << static_cast<int>(std::clamp(exponent, 0.0, 40.0));
}

/// The greatest power of two that is at most `x` >= 1.
std::int64_t floor_power_of_two(std::int64_t x) {
  std::int64_t power = 1;
  while (2 * power <= x) power *= 2;
  return power;
}

/// Clusters grow: the middle of the GPU counts moves from a quarter of the octaves to three
/// quarters, and single jobs scatter by a fifth of them around it.
std::int64_t gpus_of(const HistoryOptions& options, double time, Dice& dice) {
  const double low = sim::log2(static_cast<double>(options.gpus_min));
  const double octaves = sim::log2(static_cast<double>(options.gpus_max)) - low;
  const double middle = low + octaves * (0.25 + 0.5 * time);
  const double exponent = middle + 0.2 * octaves * dice.normal() + 0.5;
  const std::int64_t gpus = power_of_two(exponent);
  return std::clamp(gpus, options.gpus_min, floor_power_of_two(options.gpus_max));
}

/// Larger jobs train larger models: around 150 million parameters a GPU, two octaves either way.
const Model& model_of(std::int64_t gpus, Dice& dice) {
  constexpr double usual_params_per_gpu_b = 0.15;
  constexpr double octaves = 2.0;
  std::array<double, models.size()> weights{};
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double share = models[i].params_b / static_cast<double>(gpus) / usual_params_per_gpu_b;
    const double away = sim::log2(share) / octaves;
    weights[i] = sim::exp(-0.5 * away * away);
  }
  return models[dice.pick(weights)];
}

/// One person in three leaves the recipe, by a factor of two either way.
std::int64_t varied(std::int64_t recipe, std::int64_t max, Dice& dice) {
  if (dice.chance(0.65)) return std::min(recipe, max);
  const std::int64_t other = dice.chance(0.5) ? 2 * recipe : std::max<std::int64_t>(1, recipe / 2);
  return std::min(other, max);
}

std::string_view sharding_of(std::int64_t pipeline, Dice& dice) {
  constexpr std::array<std::string_view, 4> names{"full_shard", "shard_grad_op", "zero1",
                                                  "no_shard"};
  // Gathering weights again for every micro-batch of a pipeline is known to be slow.
  return pipeline == 1 ? names[dice.pick(std::array{0.5, 0.25, 0.2, 0.05})]
                       : names[dice.pick(std::array{0.1, 0.3, 0.55, 0.05})];
}

void choose_layout(const Model& model, std::int64_t gpus, Dice& dice, Measurement& job) {
  const std::int64_t tensor = varied(model.tensor, std::min<std::int64_t>(8, gpus), dice);
  const std::int64_t pipeline =
      varied(std::max<std::int64_t>(1, model.pipeline), gpus / tensor, dice);
  job.tp = tensor;
  job.pp = pipeline;
  job.cp = 1;
  job.dp = gpus / (tensor * pipeline);
  job.sp = tensor > 1 && dice.chance(0.9);
  job.vp = pipeline > 1 && dice.chance(0.4) ? 2 : 1;
  job.sharding = sharding_of(pipeline, dice);
}

/// Batches grow with the cluster, from half a million tokens to sixteen million, as published
/// recipes do [Llama3, section 3.4.1].
void choose_batch(std::int64_t gpus, double time, Dice& dice, Measurement& job) {
  constexpr std::array<std::int64_t, 4> micro_batches{1, 2, 4, 8};
  constexpr double tokens_min_log2 = 19.0;
  constexpr double tokens_max_log2 = 24.0;
  job.seq_len = dice.chance(0.3 + 0.5 * time) ? 8192 : 4096;
  job.micro_batch = micro_batches[dice.pick(std::array{0.45, 0.3, 0.15, 0.1})];
  const double log2_gpus = sim::log2(static_cast<double>(gpus));
  const double tokens =
      std::clamp(14.5 + log2_gpus + dice.normal(), tokens_min_log2, tokens_max_log2);
  const std::int64_t wanted = power_of_two(tokens) / *job.seq_len;
  const std::int64_t least = *job.dp * *job.micro_batch;
  job.grad_accum = std::max<std::int64_t>(1, wanted / least);
  job.global_batch = least * *job.grad_accum;
}

/// What people leave to memory, and how they trade it: recomputation is turned on by habit.
void choose_rest(double time, Dice& dice, Measurement& job) {
  constexpr std::array<std::string_view, 3> recomputes{"none", "selective", "full"};
  job.recompute = recomputes[dice.pick(std::array{0.4, 0.3, 0.3})];
  job.compile = dice.chance(0.2 + 0.6 * time);
}

/// A rule of thumb, GiB a GPU: 16 bytes a parameter over what it is sharded by, and 34 bytes a
/// token, hidden unit and layer of activations [Korthikanti22, eq. 2, without its attention term].
double rough_memory_gib(const Model& model, const Measurement& job) {
  const double model_parallel = static_cast<double>(*job.tp * *job.pp);
  const double shards = static_cast<double>(*job.dp);
  double bytes_per_param = 4.0 + 12.0 / shards;  // ZeRO-1
  if (job.sharding == "full_shard") bytes_per_param = 16.0 / shards;
  if (job.sharding == "shard_grad_op") bytes_per_param = 2.0 + 14.0 / shards;
  if (job.sharding == "no_shard") bytes_per_param = 16.0;
  double bytes_per_token = 34.0;
  if (job.recompute == "selective") bytes_per_token = 24.0;
  if (job.recompute == "full") bytes_per_token = 2.0;
  const double tokens = static_cast<double>(*job.micro_batch * *job.seq_len);
  const double activations = bytes_per_token * tokens * static_cast<double>(model.hidden) *
                             static_cast<double>(model.layers) / static_cast<double>(*job.tp);
  return (1e9 * model.params_b * bytes_per_param / model_parallel + activations) /
         sim::bytes_per_gib;
}

/// People see coming what is far beyond the device, and misjudge by a third either way.
bool seems_to_fit(const Model& model, const Measurement& job, Dice& dice) {
  constexpr double device_gib = 80.0;
  constexpr double misjudgement = 0.33;
  return rough_memory_gib(model, job) * sim::exp(misjudgement * dice.normal()) < device_gib;
}

std::string date_of(std::int64_t day) {
  using namespace std::chrono;
  constexpr sys_days first = year{2024} / January / 1;
  const year_month_day date{first + days{day}};
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

void describe(const Model& model, std::int64_t gpus, Measurement& job) {
  job.source = "cubicbench history";
  job.framework = "simulated";
  job.model = model.name;
  job.n_layers = model.layers;
  job.d_model = model.hidden;
  job.n_heads = model.heads;
  job.n_kv_heads = model.kv_heads;
  job.d_ff = model.ffn;
  job.vocab = model.vocabulary;
  job.n_params_b = model.params_b;
  job.device = "h100-sxm-80gb";
  job.n_gpus = gpus;
  job.gpus_per_node = gpus_per_node;
  job.fabric = gpus > gpus_per_node ? "ib" : "nvlink";
  job.nic_gbps_per_gpu = 400.0;
  job.stack = "llama3-2024";
  job.dtype = "bf16";
  job.family = "history/" + std::string(model.name) + "/" + std::to_string(gpus) + "gpu";
}

}  // namespace

double time_of(const HistoryOptions& options, std::int64_t number) {
  return static_cast<double>(number) / static_cast<double>(options.jobs);
}

Measurement chosen_job(const HistoryOptions& options, std::int64_t number, std::uint32_t attempt) {
  SIM_ASSERT(number >= 0 && number < options.jobs, number);
  constexpr int second_thoughts = 3;
  Dice dice(options, number, attempt);
  const double time = time_of(options, number);
  Measurement job;
  job.id = "history-" + std::to_string(number);
  job.date = date_of(number * options.days / options.jobs);
  const std::int64_t gpus = gpus_of(options, time, dice);
  const Model& model = model_of(gpus, dice);
  describe(model, gpus, job);
  for (int thought = 0; thought <= second_thoughts; ++thought) {
    choose_layout(model, gpus, dice, job);
    choose_batch(gpus, time, dice, job);
    choose_rest(time, dice, job);
    if (seems_to_fit(model, job, dice)) break;
  }
  return job;
}

}  // namespace cubicbench::datasets
