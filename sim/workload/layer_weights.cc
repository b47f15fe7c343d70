#include "sim/workload/layer_weights.h"

#include "sim/base/real.h"

namespace cubicbench::sim {

double latent_attention_parameters(const Transformer& m, double ranks) {
  const LatentAttention& latent = m.latent;
  const double h = real(m.hidden);
  const double a = real(m.attention_heads) / ranks;
  const double q = real(latent.query_rank);
  const double c = real(latent.key_rank);
  const double queries =
      q > 0.0 ? h * q + q + q * a * real(m.head_size) : h * a * real(m.head_size);
  const double down = h * (c + real(latent.rope_size)) + c;
  const double up = c * a * real(m.head_size - latent.rope_size + latent.value_size);
  return queries + down + up + a * real(latent.value_size) * h;
}

}  // namespace cubicbench::sim
