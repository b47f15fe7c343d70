#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/workload.h"

namespace cubicbench::sim {

/// Round numbers, near an H100 node on a 400 Gb/s network, so that expectations stay derivable.
inline Device round_device() {
  Device device{};
  device.matmul_peak.fill(1000_TFLOPS);
  device.memory = 80_GiB;
  device.memory_bandwidth = 3000_GBps;
  device.memory_efficiency = 0.8;
  device.sm_count = 128;
  device.gemm_efficiency = 0.8;
  device.gemm_k_half = 128.0;
  device.gemm_wave_weight = 0.25;
  device.attention_efficiency.fill(0.5);
  device.attention_s_half = 600.0;
  device.kernel_overhead = 5_us;
  return device;
}

/// 360 GB/s in a node, 45 GB/s for a rank between nodes, no protocol but Simple and no trees.
inline Network round_network() {
  Network network;
  network.intra_bandwidth = 450_GBps;
  network.inter_bandwidth = 50_GBps;
  network.intra = {.simple = {.share = 0.8, .base = 10_us, .step = 1_us, .fill = {}},
                   .exchange_floor = 10_us,
                   .exchange_share = 0.8,
                   .message_base = 1_us,
                   .message_channel_ll = 360_GBps,
                   .message_channel = 360_GBps,
                   .message_share = 0.8};
  const FabricFamily ring{.share = 0.9, .base = 15_us, .fill = {}};
  network.inter = {.reduce = ring, .gather = ring, .exchange = ring, .message = {}, .trees = false};
  network.inter.exchange.share = 0.66;
  network.inter.exchange.base = 10_us;
  network.inter.message = {
      .base = 5_us, .low_rate = 1_GBps, .switched = {}, .channel = 45_GBps, .share = 0.9};
  return network;
}

inline Cluster round_cluster(int gpus) {
  return {.device = round_device(),
          .network = round_network(),
          .gpus = gpus,
          .gpus_per_node = 8,
          .state = {}};
}

inline Stack round_stack() {
  Stack stack{};
  stack.gemm_factor = 0.8;
  stack.host_layer_forward = 1_ms;
  stack.latency_per_rank = 1_us;
  stack.data_overlap = 0.5;
  stack.zero1_overlap = 0.5;
  stack.pipeline_overlap = 0.9;
  stack.outside_allocator = 1_GiB;
  stack.communicator = 512_MiB;
  return stack;
}

/// 32 layers of width 4,096: Llama 3 8B.
inline Transformer llama_8b() {
  return {.layers = 32,
          .hidden = 4096,
          .attention_heads = 32,
          .kv_heads = 8,
          .head_size = 128,
          .ffn_hidden = 14336,
          .gated_ffn = true,
          .vocabulary = 128256,
          .sequence = 8192};
}

/// The same with adapters of rank 16 on all products.
inline Transformer adapted_llama() {
  Transformer model = llama_8b();
  model.adapters = {.rank = 16, .products = {true, true, true, true}};
  return model;
}

/// Fits on 64 GPUs of round_cluster and uses every dimension but context.
inline Plan round_plan() {
  Plan plan{};
  plan.tensor_parallel = 2;
  plan.sequence_parallel = true;
  plan.pipeline_parallel = 4;
  plan.global_batch = 128;
  plan.sharding = Sharding::full_shard;
  return plan;
}

/// 500 tables of four shapes, 2.4 billion weights in them, 0.9 billion dense ones.
inline Recommendation small_ads() {
  Recommendation model;
  model.tables = {{.tables = 300, .rows = 10'000, .dim = 64, .pooling = 2.0},
                  {.tables = 150, .rows = 100'000, .dim = 64, .pooling = 10.0},
                  {.tables = 40, .rows = 500'000, .dim = 32, .pooling = 20.0},
                  {.tables = 10, .rows = 500'000, .dim = 128, .pooling = 30.0}};
  model.dense_inputs = 1024;
  model.dense = ResidualArch{.layers = 3, .width = 1024, .ffn_hidden = 4096};
  model.over = ResidualArch{.layers = 12, .width = 4096, .ffn_hidden = 8192};
  return model;
}

/// A recommendation model on 16 GPUs, unless others are given a generative recommender: four layers
/// of HSTU over histories of 1,000 items.
struct RecommendationJob {
  Recommendation model{
      .tables = {{.rows = 1'000'000, .dim = 128, .pooling = 1000.0, .pooled = false}},
      .dense = Mlp{{8}},
      .sequence =
          SequenceArch{
              .layers = 4, .width = 512, .heads = 4, .kind = SequenceLayer::hstu, .head_size = 128},
      .interaction = {},
      .over = Mlp{{64, 1}}};
  Plan plan{.batch_per_gpu = 32, .embedding_plan = EmbeddingPlan::row_wise};
  Cluster cluster = round_cluster(16);
  Stack stack = round_stack();
};

}  // namespace cubicbench::sim
