#include "results/layout/html_table.h"

#include "results/document/markup.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

std::string cell(const char* tag, const HtmlColumn& column, const std::string& text) {
  return "<" + std::string(tag) + (column.number ? " class=\"number\">" : ">") + escaped(text) +
         "</" + tag + ">";
}

}  // namespace

std::string html_table(const std::vector<HtmlColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const HtmlColumn& column : columns) {
    html += cell("th", column, column.heading);
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    SIM_ASSERT(row.size() == columns.size(), row.size(), columns.size());
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += cell("td", columns[i], row[i]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace cubicbench::results
