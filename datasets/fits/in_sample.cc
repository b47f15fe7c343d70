#include "datasets/fits/in_sample.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "datasets/mapping/measured_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::string_view schema = "cubicbench.in_sample/1";
constexpr std::array<std::string_view, 3> names{"no", "partly", "yes"};

InSample read_entry(ObjectReader& in) {
  return {.name = non_empty(in, "name"),
          .fitted = read_fitted(in, "fitted"),
          .why = non_empty(in, "why")};
}

}  // namespace

std::string_view name_of(Fitted fitted) { return names[static_cast<std::size_t>(fitted)]; }

Fitted read_fitted(ObjectReader& in, std::string_view key) {
  return static_cast<Fitted>(in.one_of(key, names));
}

const InSample* find_in_sample(const std::vector<InSample>& among, std::string_view name) {
  const auto found = std::ranges::find(among, name, &InSample::name);
  return found == among.end() ? nullptr : &*found;
}

InSamples read_in_samples(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, schema, [](ObjectReader& in) {
    return InSamples{.sources = read_each(in.array("sources"), read_entry),
                     .parts = read_each(in.array("parts"), read_entry)};
  });
}

const InSamples& in_samples() { return shipped<read_in_samples>("in_sample.json"); }

}  // namespace cubicbench::datasets
