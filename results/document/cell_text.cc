#include "results/document/cell_text.h"

#include <cmath>

#include "results/document/number_text.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

constexpr const char* en_dash = "\xE2\x80\x93";

/// At most five characters below 1,000 %: "4.1%", "-12%".
std::string compact_percent(double share) {
  const double hundredths = 100.0 * share;
  constexpr double rounds_to_ten = 9.95;
  return fixed(hundredths, std::fabs(hundredths) < rounds_to_ten ? 1 : 0) + "%";
}

/// From here on doubles leave out whole numbers.
constexpr double counted_max = 9007199254740992.0;

std::string number_text(double value, Show show, Spacing spacing) {
  switch (show) {
    case Show::text:
    case Show::figure:
    case Show::plain:
      return support::shortest(value);
    case Show::count:
      if (!(std::fabs(value) < counted_max)) return support::shortest(value);
      return (value < 0.0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::fabs(value)));
    case Show::fixed1:
      return fixed(value, 1);
    case Show::fixed2:
      return fixed(value, 2);
    case Show::fixed3:
      return fixed(value, 3);
    case Show::scaled:
      return scaled(value);
    case Show::percent:
      return spacing == Spacing::compact ? compact_percent(value) : percent(value);
    case Show::signed_percent:
      return spacing == Spacing::compact ? compact_percent(value) : signed_percent(value);
    case Show::duration:
      return duration(sim::Seconds{value});
  }
  return "";
}

/// Texts a cell may hold.
class CellText {
 public:
  CellText(Show show, Spacing spacing) : show_(show), spacing_(spacing) {}

  std::string operator()(std::monostate) const {
    if (spacing_ == Spacing::csv) return "";
    return spacing_ == Spacing::compact ? "-" : en_dash;
  }
  std::string operator()(Cell::Absent) const { return ""; }
  std::string operator()(bool value) const {
    if (spacing_ == Spacing::csv) return value ? "1" : "0";
    return value ? "yes" : "no";
  }
  std::string operator()(std::integral auto value) const {
    if (show_ == Show::text || show_ == Show::plain) return std::to_string(value);
    if (show_ == Show::count && value >= 0) return grouped(value);
    return number_text(static_cast<double>(value), show_, spacing_);
  }
  std::string operator()(double value) const {
    return std::isfinite(value) ? number_text(value, show_, spacing_) : (*this)(std::monostate());
  }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<std::string>& list) const {
    return support::joined(list, spacing_ == Spacing::csv ? " " : ", ");
  }
  std::string operator()(const ShareBar& bar) const { return bar.words; }
  std::string operator()(const Record& record) const { return record.words; }

 private:
  Show show_;
  Spacing spacing_;
};

}  // namespace

std::string cell_text(const Cell& cell, Show show, Spacing spacing) {
  return std::visit(CellText(show, spacing), cell.value());
}

std::string heading_text(const Column& column) {
  return column.heading + (column.unit.empty() ? "" : " (" + column.unit + ")");
}

std::vector<std::size_t> shown_columns(const Table& table) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].heading.empty()) shown.push_back(i);
  }
  return shown;
}

std::string signed_percent(double value) {
  const std::string text = percent(value);
  return value < 0.0 || text.starts_with('-') ? text : "+" + text;
}

}  // namespace cubicbench::results
