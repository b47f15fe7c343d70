#include "datasets/fits/peer_result.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "datasets/mapping/measured_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::string_view in_sample_schema = "cubicbench.in_sample/1";
constexpr std::array<std::string_view, 3> names{"no", "partly", "yes"};

InSample read_entry(ObjectReader& in) {
  return {.name = non_empty(in, "name"),
          .fitted = read_fitted(in, "fitted"),
          .why = non_empty(in, "why")};
}

constexpr std::string_view peers_schema = "cubicbench.peers/1";
constexpr std::array<std::string_view, 2> quantities{"step_time", "memory"};
constexpr std::array<std::string_view, 3> bases{"measured", "published", "claimed"};

constexpr double unbounded = std::numeric_limits<double>::infinity();

std::optional<double> optional_error(ObjectReader& in, std::string_view key) {
  in.allow(key);
  if (!in.has(key)) return std::nullopt;
  return in.number(key, 0.0, unbounded);
}

PeerResult read_result(ObjectReader& in) {
  return {.part = non_empty(in, "part"),
          .simulator = non_empty(in, "simulator"),
          .quantity = static_cast<PeerQuantity>(in.one_of("quantity", quantities)),
          .rows = in.integer("rows", 1, std::numeric_limits<std::int64_t>::max()),
          .mean = in.number("mean", 0.0, unbounded),
          .median = optional_error(in, "median"),
          .p90 = optional_error(in, "p90"),
          .max = optional_error(in, "max"),
          .basis = static_cast<PeerBasis>(in.one_of("basis", bases)),
          .note = non_empty(in, "note"),
          .source = non_empty(in, "source")};
}

OurNote read_note(ObjectReader& in) {
  OurNote note;
  note.part = non_empty(in, "part");
  note.quantity = static_cast<PeerQuantity>(in.one_of("quantity", quantities));
  note.fitted = read_fitted(in, "fitted");
  note.note = non_empty(in, "note");
  return note;
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
  return read_measured_json(text, file, in_sample_schema, [](ObjectReader& in) {
    return InSamples{.sources = read_each(in.array("sources"), read_entry),
                     .parts = read_each(in.array("parts"), read_entry)};
  });
}

const InSamples& in_samples() { return shipped<read_in_samples>("in_sample.json"); }

std::string_view name_of(PeerBasis basis) { return bases[static_cast<std::size_t>(basis)]; }

PeerResults read_peer_results(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, peers_schema, [](ObjectReader& in) {
    return PeerResults{.results = read_each(in.array("results"), read_result),
                       .ours = read_each(in.array("ours"), read_note)};
  });
}

const PeerResults& peer_results() { return shipped<read_peer_results>("peers.json"); }

}  // namespace cubicbench::datasets
