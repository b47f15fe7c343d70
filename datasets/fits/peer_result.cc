#include "datasets/fits/peer_result.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>

#include "datasets/embedded.h"
#include "sim/base/check.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.peers/1"};
constexpr std::array<std::string_view, 2> quantities{"step_time", "memory"};
constexpr std::array<std::string_view, 3> bases{"measured", "published", "claimed"};

std::string non_empty(ObjectReader& in, std::string_view key) {
  std::string text = in.string(key);
  if (text.empty() && in.has(key) && in.raw(key)->is_string()) {
    in.problem(key, "expected a text, got \"\"");
  }
  return text;
}

constexpr double unbounded = std::numeric_limits<double>::infinity();

std::optional<double> optional_error(ObjectReader& in, std::string_view key) {
  in.allow(key);
  if (!in.has(key)) return std::nullopt;
  return in.number(key, 0.0, unbounded);
}

PeerResult read_result(ObjectReader in) {
  PeerResult result;
  result.part = non_empty(in, "part");
  result.simulator = non_empty(in, "simulator");
  result.quantity = static_cast<PeerQuantity>(in.one_of("quantity", quantities));
  result.rows = in.integer("rows", 1, std::numeric_limits<std::int64_t>::max());
  result.mean = in.number("mean", 0.0, unbounded);
  result.median = optional_error(in, "median");
  result.p90 = optional_error(in, "p90");
  result.max = optional_error(in, "max");
  result.basis = static_cast<PeerBasis>(in.one_of("basis", bases));
  result.note = non_empty(in, "note");
  result.source = non_empty(in, "source");
  in.finish();
  return result;
}

OurNote read_note(ObjectReader in) {
  OurNote note;
  note.part = non_empty(in, "part");
  note.quantity = static_cast<PeerQuantity>(in.one_of("quantity", quantities));
  note.fitted = read_fitted(in, "fitted");
  note.note = non_empty(in, "note");
  in.finish();
  return note;
}

PeerResults read_shipped() {
  constexpr std::string_view path = "measured/peers.json";
  const auto files = embedded_files();
  const auto* const found =
      std::find_if(files.data(), files.data() + files.size(),
                   [&](const support::EmbeddedFile& file) { return file.path == path; });
  SIM_ASSERT(found != files.data() + files.size(), files.size());
  return read_peer_results(found->text, "datasets/" + std::string(path));
}

}  // namespace

std::string_view name_of(PeerBasis basis) { return bases[static_cast<std::size_t>(basis)]; }

PeerResults read_peer_results(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  PeerResults read;
  for (const support::ValueReader& entry : in.array("results")) {
    read.results.push_back(read_result(entry.object()));
  }
  for (const support::ValueReader& entry : in.array("ours")) {
    read.ours.push_back(read_note(entry.object()));
  }
  in.finish();
  support::throw_if_any(problems);
  return read;
}

const PeerResults& peer_results() {
  static const PeerResults read = read_shipped();
  return read;
}

}  // namespace cubicbench::datasets
