#pragma once

#include <cstdint>
#include <optional>
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

/// What a peer's error is of.
enum class PeerQuantity { step_time, memory };

/// Who says so: we ran it on the published rows, its authors publish the errors with their rows, or
/// they state them without.
enum class PeerBasis { measured, published, claimed };

std::string_view name_of(PeerBasis basis);

/// How well another simulator does on the rows of a part. Errors are absolute and relative to what
/// was measured.
struct PeerResult {
  std::string part;  ///< of our validation, as parts.json names it
  std::string simulator;
  PeerQuantity quantity = PeerQuantity::step_time;
  std::int64_t rows = 0;  ///< that its errors are over
  double mean = 0.0;
  std::optional<double> median, p90, max;
  PeerBasis basis = PeerBasis::measured;
  std::string note;
  std::string source;
};

/// How our own errors on a part came about: whether constants were fitted to its rows.
struct OurNote {
  std::string part;
  PeerQuantity quantity = PeerQuantity::step_time;
  std::string note;
  Fitted fitted = Fitted::no;
};

/// In the order of the file.
struct PeerResults {
  std::vector<PeerResult> results;
  std::vector<OurNote> ours;
};

/// Reads the JSON file of such results, schema `cubicbench.peers/1`. Every entry needs a note and a
/// source. Throws InputError with every problem.
PeerResults read_peer_results(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/peers.json), read once.
const PeerResults& peer_results();

}  // namespace cubicbench::datasets
