#include "sim/workload/transformer.h"

#include "sim/base/real.h"

namespace cubicbench::sim {
namespace {}  // namespace

double layer_parameters(const Transformer& m) {
  const double attention =
      real(m.hidden) * real(2 * m.attention_heads + 2 * m.kv_heads) * real(m.head_size);
  const double ffn = (m.gated_ffn ? 3.0 : 2.0) * real(m.hidden) * real(m.ffn_hidden);
  const double norms = 2.0 * real(m.hidden);
  return attention + ffn + norms;
}

double embedding_parameters(const Transformer& m) { return real(m.vocabulary) * real(m.hidden); }

double total_parameters(const Transformer& m) {
  const double matrices = m.tied_embeddings ? 1.0 : 2.0;
  const double final_norm = real(m.hidden);
  return real(m.layers) * layer_parameters(m) + matrices * embedding_parameters(m) + final_norm;
}

double mfu_parameters(const Transformer& m) {
  return real(m.layers) * layer_parameters(m) + embedding_parameters(m) + real(m.hidden);
}

double mfu_flops_per_token(const Transformer& m) {
  const double width = real(m.attention_heads) * real(m.head_size);
  return 6.0 * mfu_parameters(m) + 6.0 * real(m.layers) * width * real(m.sequence);
}

}  // namespace cubicbench::sim
