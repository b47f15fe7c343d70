#include "results/validation/peer_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/document/number_text.h"
#include "results/validation/row_errors.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using datasets::PeerQuantity;
using datasets::PeerResult;

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

/// Others publish their errors to a hundredth: "3.65 %", "14.7 %".
std::string error_text(double share) {
  return share < 0.1 ? fixed(100.0 * share, 2) + " %" : percent(share);
}
std::string error_text(const std::optional<double>& share) {
  return share ? error_text(*share) : no_figure;
}

std::string_view quantity_text(PeerQuantity quantity) {
  return quantity == PeerQuantity::memory ? "peak memory" : "step time";
}

std::string_view basis_text(datasets::PeerBasis basis) {
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

std::optional<double> error_of(const ValidatedRow& row, PeerQuantity quantity) {
  if (quantity == PeerQuantity::memory) return memory_error(row);
  if (!row.rel_error) return std::nullopt;
  return std::fabs(*row.rel_error);
}

/// Absolute errors of our rows of a part.
std::vector<double> our_errors(const Validation& validation, const PeerResult& peer) {
  std::vector<double> errors;
  for (const ValidatedRow& row : validation.rows) {
    const bool in_part = std::ranges::find(row.parts, peer.part) != row.parts.end();
    const std::optional<double> error =
        in_part ? error_of(row, peer.quantity) : std::optional<double>();
    if (error) errors.push_back(*error);
  }
  return errors;
}

/// Whether ours are in-sample, and why.
std::pair<std::string, std::string> our_note(const datasets::PeerResults& peers,
                                             const PeerResult& peer) {
  const auto found = std::ranges::find_if(peers.ours, [&](const datasets::OurNote& note) {
    return note.part == peer.part && note.quantity == peer.quantity;
  });
  if (found == peers.ours.end()) return {no_figure, "as shipped"};
  return {std::string(name_of(found->fitted)), found->note};
}

std::vector<std::string> our_row(const PeerResult& peer, const std::vector<double>& errors,
                                 const std::pair<std::string, std::string>& note) {
  return {peer.part,
          std::string(quantity_text(peer.quantity)),
          "cubicbench",
          count(static_cast<std::int64_t>(errors.size())),
          no_figure,
          error_text(support::mean(errors)),
          error_text(support::median(errors)),
          error_text(support::quantile(errors, 0.9)),
          error_text(std::ranges::max(errors)),
          note.first,
          note.second};
}

std::vector<std::string> peer_row(const PeerResult& peer, std::size_t our_rows) {
  const bool same = std::cmp_equal(peer.rows, our_rows);
  return {peer.part,
          std::string(quantity_text(peer.quantity)),
          peer.simulator,
          count(peer.rows),
          same ? "yes" : "no",
          error_text(peer.mean),
          error_text(peer.median),
          error_text(peer.p90),
          error_text(peer.max),
          no_figure,
          std::string(basis_text(peer.basis)) + ", " + peer.note};
}

}  // namespace

ReportTable peer_table(const Validation& validation, const datasets::PeerResults& peers) {
  ReportTable table{.columns = {{"Part"},
                                {"Of"},
                                {"Simulator"},
                                {"Rows", true},
                                {"Our rows?"},
                                {"Mean", true},
                                {"Median", true},
                                {"90 %", true},
                                {"Worst", true},
                                {"In-sample"},
                                {"What it is"}},
                    .rows = {}};
  std::set<std::pair<std::string, PeerQuantity>> begun;
  for (const PeerResult& peer : peers.results) {
    const std::vector<double> errors = our_errors(validation, peer);
    if (errors.empty()) continue;
    if (begun.emplace(peer.part, peer.quantity).second) {
      table.rows.push_back(our_row(peer, errors, our_note(peers, peer)));
    }
    table.rows.push_back(peer_row(peer, errors.size()));
  }
  return table;
}

}  // namespace cubicbench::results
