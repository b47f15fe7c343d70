#pragma once

#include <string_view>

#include "sim/workload/transformer.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Reads `layer_pattern` and `prediction_pattern`, once the number of layers is known; attention is
/// latent in a model of `latent` attention. Of a pattern with too many kinds of layers none is
/// kept.
void read_pattern(support::ObjectReader& in, sim::Transformer& model, bool latent);

/// Reads `state_space`.
void read_state_space(support::ObjectReader& in, sim::Transformer& model);

/// What a file calls the heads of a state-space mixer and their groups.
struct StateSpaceKeys {
  std::string_view heads;
  std::string_view groups;
};

/// Checks that groups have equally many heads.
void check_state_space(const sim::Transformer& model, support::ObjectReader& in,
                       const StateSpaceKeys& keys);

/// Checks that what layers one by one have is described, that what is described is in some layer,
/// and that they are of few kinds. `key`: where the layers are listed.
void check_pattern(const sim::Transformer& model, support::ObjectReader& in, bool with_experts,
                   std::string_view key);

}  // namespace cubicbench::scenarios
