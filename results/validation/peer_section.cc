#include <algorithm>
#include <cmath>
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

/// Others publish their errors to a hundredth: "3.65 %", "14.7 %".
Cell error_cell(const std::optional<double>& share) {
  if (!share) return {};
  return *share < 0.1 ? fixed(100.0 * *share, 2) + " %" : percent(*share);
}

std::string basis_text(datasets::PeerBasis basis) {
  switch (basis) {
    case datasets::PeerBasis::measured:
      return "we ran it";
    case datasets::PeerBasis::published:
      return "its authors' rows";
    case datasets::PeerBasis::claimed:
      return "its authors' claim";
  }
  return "";
}

/// Absolute errors of our rows of a part.
std::vector<double> our_errors(const Validation& validation, const PeerResult& peer) {
  RowPointers rows;
  for (const ValidatedRow& row : validation.rows) {
    if (std::ranges::find(row.parts, peer.part) != row.parts.end()) rows.push_back(&row);
  }
  if (peer.quantity == PeerQuantity::step_time) return time_errors(rows);
  std::vector<double> errors;
  for (const ValidatedRow* row : rows) {
    if (const auto error = peak_error(*row)) errors.push_back(*error);
  }
  return errors;
}

/// Our errors as a peer's.
PeerResult ours(const PeerResult& peer, const std::vector<double>& errors) {
  return {.part = peer.part,
          .simulator = "cubicbench",
          .quantity = peer.quantity,
          .rows = std::ssize(errors),
          .mean = support::mean(errors),
          .median = support::median(errors),
          .p90 = support::quantile(errors, 0.9),
          .max = std::ranges::max(errors),
          .note = "",
          .source = ""};
}

std::vector<Cell> line_of(const PeerResult& of, Cell same_rows, Cell fitted, std::string note) {
  return {of.part,
          of.quantity == PeerQuantity::memory ? "peak memory" : "step time",
          of.simulator,
          of.rows,
          std::move(same_rows),
          error_cell(of.mean),
          error_cell(of.median),
          error_cell(of.p90),
          error_cell(of.max),
          std::move(fitted),
          std::move(note)};
}

std::vector<Cell> our_line(const datasets::PeerResults& peers, const PeerResult& of) {
  const auto note = std::ranges::find_if(peers.ours, [&](const datasets::OurNote& ours) {
    return ours.part == of.part && ours.quantity == of.quantity;
  });
  if (note == peers.ours.end()) return line_of(of, {}, {}, "as shipped");
  return line_of(of, {}, name_of(note->fitted), note->note);
}

Table peer_table(const Validation& validation, const datasets::PeerResults& peers) {
  Table table{.columns = {{"part", "part"},
                          {"quantity", "of"},
                          {"simulator", "simulator"},
                          {"rows", "rows", Show::count},
                          {"same_rows", "our rows?"},
                          {"mean", "mean", Show::figure},
                          {"median", "median", Show::figure},
                          {"p90", "90 %", Show::figure},
                          {"max", "worst", Show::figure},
                          {"in_sample", "in sample"},
                          {"note", "what it is"}}};
  std::set<std::pair<std::string, PeerQuantity>> begun;
  for (const PeerResult& peer : peers.results) {
    const std::vector<double> errors = our_errors(validation, peer);
    if (errors.empty()) continue;
    if (begun.emplace(peer.part, peer.quantity).second) {
      table.rows.push_back(our_line(peers, ours(peer, errors)));
    }
    table.rows.push_back(line_of(peer, std::cmp_equal(peer.rows, errors.size()), {},
                                 basis_text(peer.basis) + ", " + peer.note));
  }
  return table;
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
