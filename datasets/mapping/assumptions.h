#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

/// What an empty cell of a measured run is taken to hold. `name` is the column, or, where the
/// measurement schema has none, the setting.
struct Assumption {
  std::string name;
  std::string value;  ///< as a cell has it
  std::string why;    ///< the reason, or the source
};

/// How runs of one software stack are simulated.
struct AssumedStack {
  std::string stack;         ///< as the column has it
  std::string simulated_by;  ///< of the library
  std::vector<Assumption> columns;
};

/// The network of the library that stands for a fabric between nodes of a device.
struct AssumedNetwork {
  std::string device;
  std::string fabric;  ///< "" matches an empty cell
  std::string network;
  std::string why;
};

/// What the columns do not say of a model: properties of the model, never of the stack.
struct AssumedModel {
  std::string model;  ///< how its name begins
  bool gated_ffn = false;
  bool tied_embeddings = false;
  std::string why;
};

/// Everything that is taken for granted of measured runs, in one place.
struct Assumptions {
  std::vector<AssumedStack> stacks;
  std::vector<AssumedNetwork> networks;
  std::vector<AssumedModel> models;
};

/// Reads the JSON file of assumptions, schema `cubicbench.assumptions/1`. Every entry needs a
/// reason. Throws InputError with every problem.
Assumptions read_assumptions(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/assumptions.json), read once.
const Assumptions& assumptions();

}  // namespace cubicbench::datasets
