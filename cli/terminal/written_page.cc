#include "cli/terminal/written_page.h"

#include "results/document/html.h"

namespace cubicbench::cli {

std::string written_page(const results::Document& document,
                         const std::optional<std::filesystem::path>& folder) {
  if (!folder) return "";
  const std::filesystem::path page = *folder / "index.html";
  results::write_page(document, page);
  return "\nOpen " + page.string() + " in a browser.\n";
}

}  // namespace cubicbench::cli
