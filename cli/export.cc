#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "results/comparison/compared_side.h"
#include "results/comparison/reference_side.h"
#include "results/exports/coco.h"
#include "results/exports/iohprofiler.h"
#include "results/exports/launches_csv.h"
#include "results/exports/optuna_journal.h"
#include "results/exports/t4.h"
#include "search/finished/study_set.h"
#include "search/searchers/registry.h"
#include "support/files.h"
#include "support/json/json_document.h"
#include "support/new_folder.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;

enum class Format { csv, reference, iohprofiler, coco, t4, optuna };
constexpr std::string_view format_names[] = {"csv",  "reference", "iohprofiler",
                                             "coco", "t4",        "optuna"};

struct ExportAsked {
  fs::path folder;
  Format format = Format::csv;
  std::optional<std::string> searcher;
  fs::path out;
  GlobalOptions global;
};

void declare_export(Options& options, ExportAsked& asked) {
  options.argument("FOLDER", "The folder of a search", asked.folder).required();
  options
      .value("--format", "F",
             "csv: launches.csv and studies.csv; reference:\nSEARCHER.json, which compare reads in "
             "place of the\nfolder; or the files of iohprofiler, coco, t4,\noptuna",
             asked.format, Choice<Format>{format_names})
      .required("expected one of csv, reference, iohprofiler, coco, t4, optuna, got nothing");
  options.value("--searcher", "NAME",
                "Searcher whose reference to write, if the folder has\nseveral", asked.searcher);
  options
      .value("--out", "DIR", "Folder of the files; created if it is missing", asked.out,
             Filled{"DIR"})
      .required("expected DIR, got nothing")
      .writes(Output::folder);
}

std::vector<std::string> write_files(const ExportAsked& asked, const fs::path& out) {
  switch (asked.format) {
    case Format::iohprofiler:
      return results::write_iohprofiler_export(asked.folder, out);
    case Format::coco:
      return results::write_coco_export(asked.folder, out);
    case Format::t4:
      return results::write_t4_export(asked.folder, out);
    case Format::optuna:
      return results::write_optuna_export(asked.folder, out);
    case Format::csv:
    case Format::reference:
      break;
  }
  return results::write_csv_export(asked.folder, out);
}

std::vector<std::string> write_all(const ExportAsked& asked) {
  support::NewFolder written(asked.out / ".export", asked.out.string());
  std::vector<std::string> files;
  if (asked.format == Format::reference) {
    const results::ComparedSide side = results::read_side(
        {.folder = asked.folder, .searcher = asked.searcher, .threads = asked.global.threads}, {});
    files = {search::searcher_slug(side.searcher) + ".json"};
    support::write_file_atomic(written.make() / files.front(), results::reference_text(side));
  } else {
    files = write_files(asked, written.make());
  }
  written.move_into(asked.out);
  return files;
}

/// All files of an export, or none, and then no folder of our making.
std::vector<std::string> export_whole(const ExportAsked& asked) {
  std::error_code ignored;
  const bool is_there = fs::exists(asked.out, ignored);
  try {
    return write_all(asked);
  } catch (...) {
    if (!is_there) fs::remove(asked.out, ignored);  // where it is empty
    throw;
  }
}

Reply answer(const ExportAsked& asked, const results::Screen&) {
  const std::vector<std::string> files = export_whole(asked);
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

Command export_command() { return command(words::export_search, declare_export, answer); }

}  // namespace cubicbench::cli
