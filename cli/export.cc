#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "results/comparison/compared_side.h"
#include "results/comparison/reference_side.h"
#include "results/exports/launches_csv.h"
#include "search/searchers/registry.h"
#include "support/files.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;

enum class Format { csv, reference };
constexpr std::string_view format_names[] = {"csv", "reference"};

struct Asked {
  fs::path folder;
  Format format = Format::csv;
  std::optional<std::string> searcher;
  fs::path out;
  GlobalOptions global;
};

void declare(Options& options, Asked& asked) {
  options.argument("FOLDER", "The folder of a search", asked.folder).required();
  options
      .value("--format", "F",
             "csv: launches.csv and studies.csv; reference:\nSEARCHER.json, which compare reads in "
             "place of the\nfolder",
             asked.format, Choice<Format>{format_names})
      .required("expected one of csv, reference, got nothing");
  options.value("--searcher", "NAME", "Which one's reference, where there are several",
                asked.searcher);
  options
      .value("--out", "DIR", "Folder of the files; made if it is missing", asked.out, Filled{"DIR"})
      .required("expected DIR, got nothing");
}

std::vector<std::string> write_reference(const Asked& asked) {
  const results::ComparedSide side = results::read_side(
      {.folder = asked.folder, .searcher = asked.searcher, .threads = asked.global.threads}, {});
  const std::string name = search::searcher_slug(side.searcher) + ".json";
  support::make_folders(asked.out);
  support::write_file_atomic(asked.out / name, results::reference_text(side));
  return {name};
}

std::vector<std::string> write_csv(const Asked& asked) {
  support::make_folders(asked.out);
  return results::write_csv_export(asked.folder, asked.out);
}

Reply answer(const Asked& asked, const results::Screen&) {
  const std::vector<std::string> files =
      asked.format == Format::csv ? write_csv(asked) : write_reference(asked);
  if (asked.global.json) {
    nlohmann::ordered_json document = support::new_document("export");
    document["files"] = files;
    return support::document_text(document);
  }
  std::string text;
  for (const std::string& file : files) text += (asked.out / file).string() + "\n";
  return text;
}

}  // namespace

Command export_command() { return command(words::export_search, declare, answer); }

}  // namespace cubicbench::cli
