#include "datasets/mapping/adapter_shape.h"

#include <cstddef>
#include <cstdint>

#include "datasets/mapping/text_match.h"
#include "scenarios/readers/transformer_reader.h"

namespace cubicbench::datasets {

std::string fill_adapters(const ChosenStack& stack, AssumedNames& assumed,
                          sim::Transformer& model) {
  if (has_experts(model)) return "needs adapters beside experts";
  if (has_latent_attention(model)) return "needs adapters beside latent attention";
  if (!model.pattern.empty()) return "needs adapters beside layers that are listed";
  const auto stated = [&](const std::string& name) -> std::int64_t {
    const Default* const found = stack.shape(name);
    return found == nullptr ? 0 : count_of(found->value).value_or(0);
  };
  model.adapters.rank = stated("adapter_rank");
  for (std::size_t i = 0; i < scenarios::adapter_modules.size(); ++i) {
    model.adapters.products[i] =
        stated("adapters_of_" + std::string(scenarios::adapter_modules[i])) > 0;
  }
  assumed.add("adapter_rank");
  return model.adapters.rank > 0 ? "" : "needs the rank of its adapters";
}

}  // namespace cubicbench::datasets
