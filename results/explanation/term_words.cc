#include "results/explanation/term_words.h"

#include <array>
#include <cstddef>

#include "results/simulation/part_names.h"

namespace cubicbench::results {
namespace {

using sim::StepItem;

struct TermWords {
  std::string_view name;   ///< "": that of the part
  std::string_view label;  ///< likewise
  std::string_view phrase;
  std::string_view equation;
  std::string_view source;
};

/// In the order of StepItem.
constexpr std::array<TermWords, sim::step_item_count> terms{{
    {"", "", "is matrix products",
     "sum over products of t0 + (c^4 + w^4)^(1/4), c their arithmetic and w their bytes alone",
     "Eq. K-1, K-2"},
    {"", "", "is attention",
     "fused: 4 M s h_rank / 2 / (P e_a s / (s + s_half)) + t0, backward 2.5 times that; unfused: "
     "arithmetic and 14 bytes a score",
     "Eq. K-3, K-4"},
    {"", "", "is memory-bound kernels", "bytes / (bandwidth x memory_efficiency)",
     "Eq. K-5, K-6, K-10"},
    {"", "", "is the head with its loss", "three products of M x V' x h, and logits streamed",
     "Eq. K-7"},
    {"", "", "is activations computed again",
     "the kernels of a forward pass whose activations were not kept",
     "Eq. E-1, M-5; Korthikanti22, section 5"},
    {"", "", "waits for the host to launch kernels",
     "(gpu^q + host^q)^(1/q) - gpu a pass over a layer, and what the latest host of a tensor group "
     "delays",
     "Eq. E-2, E-4, E-6"},
    {"", "", "waits for tensor-parallel collectives",
     "max(x - c, (1 - o) x) a pass over a layer: x traffic, c compute beside it, o overlap; and "
     "what ranks wait for each other",
     "Eq. T-1, T-2, T-4; Korthikanti22, section 4.2.2"},
    {"", "", "waits for keys and values of the rest of the sequence",
     "gathered: all of x; in a ring: max(0, x - (c - 1)/c attention)", "Eq. T-5, T-7"},
    {"", "", "sends activations to the next stage",
     "2 v m (1 - pipeline_overlap) hop: what senders stand still for", "Eq. P-1, P-4"},
    {"weight_gathers", "gathers of weights", "waits for gathers of weights", "", ""},
    {"gradient_reductions", "reductions of gradients", "waits for reductions of gradients", "", ""},
    {"", "", "is the pipeline bubble", "", ""},
    {"", "", "is the update of the weights",
     "20 bytes a parameter that the rank updates, + 2 for a 16-bit copy, + 16 for Adam's moments, "
     "over the streaming rate; over the host link where it is offloaded",
     "Eq. K-8, O-2"},
    {"", "", "waits for memory that the allocator frees first",
     "0.10 (D/C - 0.95)/0.05 of the step, D demand and C capacity", "Eq. M-7; FSDP23, section 3.4"},
    {"", "", "waits for the slowest GPU of the job", "beta (H_n - H_min(n, 8)) of the step, n GPUs",
     "Eq. S-1"},
    {"row_lookup", "lookup of rows", "is looking up rows of tables",
     "lookup_factor x penalty x (8 bytes an id + rows + output) / streaming rate",
     "Eq. R-4; TorchRec"},
    {"row_update", "update of rows", "is updating rows of tables",
     "lookup_factor x penalty x (8 bytes an id + gradients + rows read and written) / streaming "
     "rate",
     "Eq. R-5; TorchRec"},
    {"row_exchange", "rows to their samples", "waits for pooled rows to arrive",
     "max(0, X - F): X the exchange, F the forward pass of the dense arch beside it",
     "Eq. R-3, R-13; TorchRec"},
    {"row_gradient_exchange", "row gradients back", "waits for gradients of rows to arrive",
     "max(0, X' - B): X' the exchange, B the backward pass of the dense arch beside it",
     "Eq. R-3, R-13; TorchRec"},
    {"copy_averages", "averages of copies", "makes copies of tables equal",
     "an all-reduce of the tables over their copies, every sync interval", "Eq. R-13, R-15"},
    {"", "", "waits for its input",
     "b input_sample_us on the host, a copy over the host link, an all-to-all of ids; prefetched: "
     "what exceeds the step",
     "Eq. R-6, R-25"},
    {"", "", "copies rows from host memory", "bytes that the cache misses / host link", "Eq. R-12"},
    {"", "", "sorts and splits ids", "sparse_step: small kernels, a constant of the stack",
     "Eq. R-3"},
    {"", "", "waits for tokens on their way to experts",
     "x, and with expert_overlap max(x - c, (1 - dispatch_overlap) x), in a pass over a layer",
     "Eq. X-4, X-6; DeepSeekV3, sections 3.2.1 and 3.2.2"},
    {"", "", "waits for experts out of storage",
     "what the copies of the next layer's experts take longer than this layer; all of it without "
     "prefetch",
     "Eq. X-8, X-9"},
}};

constexpr std::string_view in_units =
    "sum over units of pair(c, x) - c, pair = max(c, x) + overlap_cost min(c, x): c compute, x "
    "traffic beside it; shared between gathers and reductions as each alone would be exposed";
constexpr std::string_view in_buckets =
    "max(x - c, (1 - o) x) once a step: x traffic, c the pass beside it, o overlap; shared between "
    "gathers and reductions as each alone would be exposed";

/// What bubbles are made of, and whose schedule it is, in the order of sim::Schedule.
constexpr std::array<std::string_view, 10> schedules{
    "sum of S_i + (m - 1)(max F_i + max (B_i + A_i)) + 2 (p - 1) hop - own work "
    "[docs/models.md, Eq. P-2, P-5]",
    "longest path through the passes - own work; with equal stages (p - 1)(F + B) "
    "[docs/models.md, Eq. P-1, P-5; Megatron21, section 2.2]",
    "longest path through the passes - own work; with equal stages (p - 1)(F + B)/v "
    "[docs/models.md, Eq. P-4, P-5; Megatron21, section 2.2]",
    "order of passes played - own work; with equal stages (p - 1)(F + B - W) "
    "[docs/models.md, Eq. P-6, P-7; ZeroBubble]",
    "order of passes played - own work [docs/models.md, Eq. P-6, P-7, P-9; ZeroBubble]",
    "order of passes played - own work [docs/models.md, Eq. P-6, P-7, P-9; ZeroBubble]",
    "order of passes played - own work [docs/models.md, Eq. P-6, P-7; VSchedules]",
    "order of passes played - own work [docs/models.md, Eq. P-6, P-7; VSchedules]",
    "order of passes played - own work [docs/models.md, Eq. P-6, P-7, P-10; DualPipe]",
    "order of passes played - own work [docs/models.md, Eq. P-6, P-7, P-10; DualPipe]"};

struct MemoryWords {
  std::string_view equation;
  std::string_view source;
};

/// In the order of sim::MemoryPart.
constexpr std::array<MemoryWords, sim::memory_part_count> memory_parts{{
    {"2 bytes a parameter of the rank; under FSDP its fp32 or 16-bit shard, 1/F of them",
     "Eq. M-2; ZeRO19, section 5; FSDP23, section 3.2"},
    {"G bytes a parameter; under FSDP 1/F of them, or whole while they add up without a reduction",
     "Eq. M-2, M-14, M-15; ZeRO19, section 5"},
    {"4 + O bytes a parameter, O moments; 1/F of them with ZeRO-1 and FSDP",
     "Eq. M-2; ZeRO19, section 5"},
    {"the unit in use, one if prefetched, one more without limit_all_gathers; all of them if kept",
     "Eq. M-3; FSDP23, section 3.3.2"},
    {"", ""},
    {"logits_kept_bytes x M V / t on the last stage", "Eq. M-6"},
    {"buckets of replicas; two gathered inputs of tensor ranks, 2 M h bytes each; copies of tokens "
     "on their way to experts, both ways",
     "Eq. M-2, T-2, X-1"},
    {"two workspaces of 32 MiB of the library of matrix products, and rotary tables", "Eq. M-10"},
    {"rows of the fullest rank x width x bytes of embedding_dtype, and a cache's share of them",
     "Eq. R-12, R-20; TorchRec"},
    {"Adam two fp32 moments a weight, row-wise Adagrad one fp32 a row, SGD none", "Eq. R-7"},
    {"ids, pooled rows and their gradients of one batch, and the buffers of their exchange",
     "Eq. R-2, R-8"},
}};

/// What a forward pass keeps, by what is recomputed.
std::string_view kept(sim::Recompute recompute) {
  switch (recompute) {
    case sim::Recompute::none:
      return "kept a token and layer: (kept_per_hidden h + kept_per_kv d max(t, a_kv) + "
             "kept_per_ffn f + 4 a)/t";
    case sim::Recompute::selective:
      return "as without recomputation, less the scores of attention, 5 a s/t, which fused kernels "
             "never keep";
    case sim::Recompute::per_op:
      return "half of the products and a quarter of the FFN of what is kept without recomputation";
    case sim::Recompute::full:
    case sim::Recompute::every_k:
      return "2 h a token and recomputed layer, and one layer's tensors during its backward pass";
    case sim::Recompute::layernorm:
      return "as without recomputation, less what the layer's two norms return";
    case sim::Recompute::moe_act:
      return "as without recomputation, less what the experts' activation functions return";
    case sim::Recompute::mlp:
      return "as without recomputation, less the FFN of layers without experts, its input kept";
  }
  return "";
}

struct RoleWords {
  std::string_view name;
  std::string_view label;
};

constexpr std::array<RoleWords, sim::kernel_role_count> roles{{
    {"other", "other products"},
    {"attention_projection", "attention projections"},
    {"attention", "attention scores"},
    {"feed_forward", "FFN"},
    {"router", "router"},
    {"experts", "experts"},
    {"shared_experts", "shared experts"},
    {"head", "head"},
    {"element_wise", "element-wise"},
    {"dense_arch", "dense arch"},
    {"sequence_arch", "sequence arch"},
    {"interaction_arch", "interaction arch"},
    {"over_arch", "over arch"},
    {"row_lookup", "row lookup"},
    {"row_update", "row update"},
}};

constexpr std::array<RoleWords, sim::pattern_count> patterns{{
    {"all_gather", "all-gathers"},
    {"reduce_scatter", "reduce-scatters"},
    {"gather_and_scatter", "all-gathers and reduce-scatters"},
    {"all_reduce", "all-reduces"},
    {"all_to_all", "all-to-alls"},
    {"send_receive", "messages"},
}};

const TermWords& words(StepItem term) { return terms[static_cast<std::size_t>(term)]; }

}  // namespace

std::string_view name_of(StepItem term) {
  const std::string_view name = words(term).name;
  return name.empty() ? name_of(part_of(term)) : name;
}

std::string_view label_of(StepItem term) {
  const std::string_view label = words(term).label;
  return label.empty() ? label_of(part_of(term)) : label;
}

std::string_view phrase_of(StepItem term) { return words(term).phrase; }

std::string equation_of(StepItem term, const sim::Plan& plan, bool weights_in_units) {
  if (term == StepItem::pipeline_bubble) {
    return std::string(schedules[static_cast<std::size_t>(plan.schedule)]);
  }
  if (part_of(term) == sim::StepPart::data_communication) {
    const bool split = sim::splits_backward(plan.schedule);
    const std::string also = split ? ", P-8" : "";
    return weights_in_units
               ? std::string(in_units) + " [docs/models.md, Eq. D-1, D-3" + also +
                     "; FSDP23, section 3.3]"
               : std::string(in_buckets) + " [docs/models.md, Eq. D-2, D-8" + also + "]";
  }
  return std::string(words(term).equation) + " [docs/models.md, " +
         std::string(words(term).source) + "]";
}

std::string equation_of(sim::MemoryPart part, const sim::Plan& plan) {
  if (part == sim::MemoryPart::activations) {
    return std::string(kept(plan.recompute)) +
           "; times layers and micro-batches in flight; of a recommendation model Table R-1 "
           "[docs/models.md, Eq. M-4, M-5, P-3, R-8; Korthikanti22, sections 4.1 and 5]";
  }
  const MemoryWords& of = memory_parts[static_cast<std::size_t>(part)];
  return std::string(of.equation) + " [docs/models.md, " + std::string(of.source) + "]";
}

std::string_view label_of(sim::KernelRole role) {
  return roles[static_cast<std::size_t>(role)].label;
}
std::string_view name_of(sim::KernelRole role) {
  return roles[static_cast<std::size_t>(role)].name;
}
std::string_view name_of(sim::Pattern pattern) {
  return patterns[static_cast<std::size_t>(pattern)].name;
}
std::string_view label_of(sim::Pattern pattern) {
  return patterns[static_cast<std::size_t>(pattern)].label;
}

}  // namespace cubicbench::results
