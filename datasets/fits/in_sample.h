#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// Whether constants of the library that the simulator runs with were fitted to, or read off, the
/// measurements that it is compared with.
enum class Fitted { no, partly, yes };

/// "no", "partly", "yes".
std::string_view name_of(Fitted fitted);

/// Reads one of those names.
Fitted read_fitted(support::ObjectReader& in, std::string_view key);

/// What is known of one source or part.
struct InSample {
  std::string name;
  Fitted fitted = Fitted::no;
  std::string why;
};

/// By the stem of a table's file, and by the name of a part.
struct InSamples {
  std::vector<InSample> sources;
  std::vector<InSample> parts;
};

/// The entry of that name, nullptr for none: nobody has said.
const InSample* find_in_sample(const std::vector<InSample>& among, std::string_view name);

/// Reads the JSON file of such entries, schema `cubicbench.in_sample/1`. Every entry needs a
/// reason. Throws InputError with every problem.
InSamples read_in_samples(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/in_sample.json), read once.
const InSamples& in_samples();

}  // namespace cubicbench::datasets
