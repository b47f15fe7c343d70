#include "results/simulation/step_words.h"

#include <set>
#include <string>
#include <utility>

namespace cubicbench::results {
namespace {

constexpr std::pair<std::string_view, std::string_view> words[] = {
    {"layout",
     "how the GPUs are divided: into groups that share layers (tensor), groups of stages "
     "(pipeline), groups that share sequences (context), and replicas (data); then what replicas "
     "hold in parts, and the precision of products."},
    {"batch",
     "samples of one optimizer step over all replicas, and how many of them a GPU computes at a "
     "time."},
    {"note", "the configuration is simulated, but no search would propose it."},
    {"engine",
     "the step was played event by event (docs/event-engine.md); identical ranks are played once."},
    {"result",
     "why there is no time. An invalid plan cannot be laid out; one that is out of memory needs "
     "more than the device leaves."},
    {"objective",
     "what a search compares: the rate or time at the stated percentile of a job's steps, so with "
     "the delays of some steps (models.md, section J)."},
    {"deadline",
     "what the training must see in which time, and the days that it would take at the stated "
     "percentile; a configuration that takes longer has no value."},
    {"step time",
     "seconds from the first forward pass to the end of the optimizer step, when nothing is late."},
    {"throughput", "tokens or samples of the step over its time."},
    {"MFU",
     "model FLOP/s utilisation: the products that the model needs, over what the tensor cores "
     "could do in the time. A token counts 6 FLOP a parameter (6 N) and, in the first figure, "
     "those of attention; products that are computed again count for nothing."},
    {"bound by", "the largest part of the step, and what of the machine it waits for."},
    {"matrix products",
     "linear layers on tensor cores, forward and backward (models.md, section K)."},
    {"attention", "scores and weighted sums, in fused kernels (section K)."},
    {"memory-bound kernels",
     "norms, activations and additions: limited by device memory's bandwidth, not by arithmetic "
     "(section K)."},
    {"head and loss", "the products with the vocabulary and the loss on the last stage."},
    {"recomputation", "activations that were not kept, computed again in the backward pass."},
    {"waiting for the host",
     "the GPU is idle because the CPU has not launched its next kernel yet."},
    {"tensor-parallel comm.",
     "exchanges of activations among GPUs that share a layer, as far as nothing hides them "
     "(section T)."},
    {"context-parallel comm.",
     "exchanges of keys and values among GPUs that share a sequence, as far as attention does not "
     "hide them (section T)."},
    {"pipeline comm.", "activations and gradients on their way between stages."},
    {"data-parallel comm.",
     "gathered weights and reduced gradients, as far as compute does not hide them (section D)."},
    {"pipeline bubble",
     "a stage waits for its first micro-batch, and for the others' last; more micro-batches or "
     "virtual stages shrink it (section P)."},
    {"optimizer",
     "the update of the weights: bandwidth of device memory, or of the host's if it is offloaded."},
    {"allocator retries",
     "the allocator frees cached blocks and asks the device again, since reserved memory is nearly "
     "all (section M)."},
    {"waiting for stragglers", "with many GPUs the slowest of them sets the pace (section S)."},
    {"table lookup, update", "rows read and written in device memory (section R)."},
    {"embedding comm.",
     "pooled embeddings and their gradients in all-to-all, as far as nothing hides them (section "
     "R)."},
    {"waiting for input", "the next batch's ids are not there yet."},
    {"rows from the host", "rows that the device's cache does not hold come over the host link."},
    {"sorting ids",
     "small kernels that sort and count ids: launches, not bandwidth, take the time."},
    {"tokens to experts",
     "all-to-all of tokens to the GPUs of their experts and back (section X)."},
    {"experts from storage", "weights of experts come from host memory or SSD (section X)."},
    {"parameters", "this GPU's part of the weights."},
    {"gradients",
     "this GPU's part of the gradients, or all of them while they are accumulated without being "
     "reduced."},
    {"optimizer state", "moments and master weights of this GPU's part."},
    {"unsharded units",
     "weights that are gathered for the layers at work, and those gathered ahead."},
    {"activations",
     "what forward passes keep for backward passes, of all micro-batches on their way."},
    {"logits", "outputs of the head with their gradients, a number a token and word."},
    {"communication buffers", "what collectives and messages hold."},
    {"workspace", "what libraries of matrix products hold."},
    {"embedding tables", "this GPU's rows."},
    {"embedding optimizer", "the optimizer's state of these rows."},
    {"embedding activations",
     "pooled rows, their gradients, ids and the buffers of their exchange."},
    {"= allocated", "the sum: tensors that live at the peak."},
    {"demand",
     "allocated and what the allocator loses to gaps between blocks: the verdict on memory "
     "compares it with the capacity (models.md, section M)."},
    {"reserved",
     "what the allocator has asked of the device: demand, or more where cached blocks are kept. "
     "nvidia-smi shows it, with context and communicators."},
    {"capacity",
     "the device's memory less what the driver, the CUDA context and NCCL's communicators take."},
    {"device", "reserved, context and communicators: what a tool that watches the device sees."},
    {"headroom",
     "capacity less demand. Real jobs differ from the model by some per cent, so one that fits by "
     "little runs out of memory with the probability stated, and one that does not may run."},
    {"replay",
     "what one stage allocates and frees, played against PyTorch's allocator request by request: "
     "the moment of the peak, and what lives then (section M)."},
};

class Collected {
 public:
  void add(std::string_view word) {
    const std::string_view meaning = meaning_of_word(word);
    if (meaning.empty() || !seen_.insert(word).second) return;
    bullets_.items.push_back(std::string(word) + ": " + std::string(meaning));
  }
  void look(const Facts& facts) {
    for (const auto& [name, text] : facts.items) add(name);
  }
  void look(const Bars& bars) {
    for (const BarRow& row : bars.rows) add(row.label);
  }
  void look(const auto& /*other blocks have no words of ours*/) {}

  Bullets take() && { return std::move(bullets_); }

 private:
  std::set<std::string_view> seen_;
  Bullets bullets_;
};

}  // namespace

std::string_view meaning_of_word(std::string_view word) {
  for (const auto& [name, meaning] : words) {
    if (name == word) return meaning;
  }
  return "";
}

Document words_of(const Document& document) {
  Collected collected;
  for (const Block& block : document.blocks) {
    std::visit([&](const auto& content) { collected.look(content); }, block.content);
  }
  Document explained;
  explained.add(Heading{.text = "Words"});
  explained.add(std::move(collected).take());
  return explained;
}

}  // namespace cubicbench::results
