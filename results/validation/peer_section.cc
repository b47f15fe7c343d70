#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "results/document/number_text.h"
#include "results/validation/validation_sections.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using datasets::PeerQuantity;
using datasets::PeerResult;

/// By PeerBasis.
constexpr std::array<std::string_view, 3> bases{"we ran it", "its authors' rows",
                                                "its authors' claim"};

/// A simulator on the rows of a part, ours as if it were a peer's.
struct PeerLine {
  PeerResult of;
  std::optional<bool> same_rows{};
  std::optional<std::string_view> fitted{};
  std::string note{};
};

/// Others publish their errors to a hundredth: "3.65 %", "14.7 %".
template <auto figure>
Cell error_of(const PeerLine& line) {
  const std::optional<double> share = line.of.*figure;
  if (!share) return {};
  return *share < 0.1 ? fixed(100.0 * *share, 2) + " %" : percent(*share);
}

const Field<PeerLine> line_fields[] = {
    {{"part", "part"}, of_member<&PeerLine::of, &PeerResult::part>},
    {{"quantity", "of"},
     [](const PeerLine& line) {
       return line.of.quantity == PeerQuantity::memory ? "peak memory" : "step time";
     }},
    {{"simulator", "simulator"}, of_member<&PeerLine::of, &PeerResult::simulator>},
    {{"rows", "rows", Show::count}, of_member<&PeerLine::of, &PeerResult::rows>},
    {{"same_rows", "our rows?"}, &PeerLine::same_rows},
    {{"mean", "mean", Show::figure}, error_of<&PeerResult::mean>},
    {{"median", "median", Show::figure}, error_of<&PeerResult::median>},
    {{"p90", "90 %", Show::figure}, error_of<&PeerResult::p90>},
    {{"max", "worst", Show::figure}, error_of<&PeerResult::max>},
    {{"in_sample", "in sample"}, &PeerLine::fitted},
    {{"note", "what it is"}, &PeerLine::note}};

/// Absolute errors of our rows of a part.
std::vector<double> our_errors(const Validation& validation, const PeerResult& peer) {
  RowPointers rows = all_rows(validation.rows);
  std::erase_if(rows, [&](const ValidatedRow* row) {
    return std::ranges::find(row->parts, peer.part) == row->parts.end();
  });
  return values_of(
      rows, peer.quantity == PeerQuantity::step_time ? datasets::time_error : datasets::peak_error);
}

PeerLine our_line(const datasets::PeerResults& peers, const PeerResult& peer,
                  const std::vector<double>& errors) {
  PeerLine line{.of = peer, .note = "as shipped"};
  line.of.simulator = "cubicbench";
  line.of.rows = std::ssize(errors);
  line.of.mean = support::mean(errors);
  line.of.median = support::median(errors);
  line.of.p90 = support::quantile(errors, 0.9);
  line.of.max = std::ranges::max(errors);
  for (const datasets::OurNote& ours : peers.ours) {
    if (ours.part != peer.part || ours.quantity != peer.quantity) continue;
    line.fitted = name_of(ours.fitted);
    line.note = ours.note;
    break;
  }
  return line;
}

Table peer_table(const Validation& validation, const datasets::PeerResults& peers) {
  std::vector<PeerLine> lines;
  std::set<std::pair<std::string, PeerQuantity>> begun;
  for (const PeerResult& peer : peers.results) {
    const std::vector<double> errors = our_errors(validation, peer);
    if (errors.empty()) continue;
    if (begun.emplace(peer.part, peer.quantity).second) {
      lines.push_back(our_line(peers, peer, errors));
    }
    const auto basis = static_cast<std::size_t>(peer.basis);
    lines.push_back({.of = peer,
                     .same_rows = std::cmp_equal(peer.rows, errors.size()),
                     .note = std::string(bases[basis]) + ", " + peer.note});
  }
  return table_of<PeerLine>(lines, line_fields);
}

/// A source of two quantities once.
Bullets sources_of(const datasets::PeerResults& peers) {
  Bullets sources;
  for (const PeerResult& peer : peers.results) {
    std::string line = peer.part + ", " + peer.simulator + ": " + peer.source;
    if (std::ranges::find(sources.items, line) == sources.items.end()) {
      sources.items.push_back(std::move(line));
    }
  }
  return sources;
}

}  // namespace

void add_peers(const Validation& validation, const datasets::PeerResults& peers,
               Document& document) {
  Table table = peer_table(validation, peers);
  if (table.rows.empty()) return;
  document.add(Heading{"Beside other simulators", "peers"}, Media::written);
  document.add(
      Paragraph{
          "Mean absolute errors of other simulators on the rows that each part is made of. "
          "\"Our rows?\" says whether they are over as many rows as ours: where it says no, "
          "some of those rows are not among ours or cannot be simulated here, and the lines "
          "compare only roughly. \"We ran it\" means that we gave the rows to that program; a "
          "claim is its authors' word."},
      Media::written);
  document.add(std::move(table), Media::written);
  document.add(Paragraph{"Sources:"}, Media::written);
  document.add(sources_of(peers), Media::written);
}

}  // namespace cubicbench::results
