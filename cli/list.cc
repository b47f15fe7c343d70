#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/options/readers.h"
#include "results/document/terminal.h"
#include "results/tables/shelf.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct Asked {
  std::string_view shelf = results::shelves.front();
  GlobalOptions global;
};

void declare(Options& options, Asked& asked) {
  options.argument("WHAT",
                   "scenarios (unless said otherwise), searchers,\npredictors, devices, "
                   "networks, stacks or datasets",
                   asked.shelf, [](const std::string& text, const std::string& where) {
                     return results::shelves[choice(text, results::shelves, where)];
                   });
}

Reply answer(const Asked& asked, results::Ink) {
  return asked.global.json ? support::document_text(results::shelf_json(asked.shelf))
                           : results::terminal_text(results::shelf_document(asked.shelf));
}

}  // namespace

Command list_command() {
  return command("list", "What ships with this version, a line each", declare, answer);
}

}  // namespace cubicbench::cli
