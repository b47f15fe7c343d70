#include "cli/terminal/written_page.h"

#include "results/document/html.h"
#include "support/new_folder.h"

namespace cubicbench::cli {

std::string written_page(const results::Document& document,
                         const std::optional<std::filesystem::path>& folder) {
  if (!folder) return "";
  support::NewFolder written(*folder, folder->string());
  results::write_page(document, written.make() / "index.html");
  written.keep();
  return "\nOpen " + (*folder / "index.html").string() + " in a browser.\n";
}

}  // namespace cubicbench::cli
