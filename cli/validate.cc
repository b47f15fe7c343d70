#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/dataset_verbs.h"
#include "cli/options.h"
#include "cli/out_folder.h"
#include "cli/problems.h"
#include "cli/requirements.h"
#include "datasets/catalog/measured_catalog.h"
#include "datasets/catalog/measured_table.h"
#include "datasets/fits/calibration_plan.h"
#include "datasets/tables/measurement_schema.h"
#include "results/document/html.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/studies/study_commands.h"
#include "results/validation/ablation.h"
#include "results/validation/ablation_document.h"
#include "results/validation/summary.h"
#include "results/validation/validate_tables.h"
#include "results/validation/validation_document.h"
#include "results/validation/validation_json.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/json_document.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using datasets::MeasurementQuality;
using scenarios::Requirement;
using support::InputError;
using Problems = std::vector<support::Problem>;

/// What the command line asks for.
struct Asked {
  std::vector<datasets::MeasuredTable> tables;
  results::WantedRows wanted;
  std::vector<Requirement> requirements;
  bool ablation = false;
  std::optional<fs::path> out;
  std::optional<fs::path> markdown;
  GlobalOptions global;
  std::string command;       ///< without options that say where to write
  bool all_shipped = false;  ///< every table that ships, of the default qualities
};

void declare(CLI::App& app) {
  declare_positionals(app, "FILE|NAME",
                      "Tables of measurements: CSV files, or names of list\ndatasets (default: "
                      "all measured tables that ship)");
  declare_value(app, "--quality", "Q[,..]",
                "Rows of quality flag and untuned count where they are\nnamed here, beside ok and "
                "early_pp, which always count");
  declare_value(app, "--require", "EXPR",
                "A condition on the document that --json prints, such\nas 'coverage >= 0.9' or\n"
                "'\"sources.vtrain.bias\" < 0.1'; exit with 1 if it is\nfalse. May be repeated");
  declare_value(app, "--out", "DIR", "Also write a page, its figures and their numbers there");
  declare_value(app, "--markdown", "FILE", "Also write the summary a source as Markdown");
  declare_flag(app, "--ablation",
               "Also what each term of the step time is worth: without\nit, constants are fitted "
               "again to the runs that ship\n(half a minute), and to all models but one");
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const datasets::NamedDataset& dataset : datasets::named_datasets()) {
    if (dataset.measured) names.emplace_back(dataset.name);
  }
  return names;
}

const std::string& name_of(const datasets::MeasuredTable& table) {
  return std::visit([](const auto& rows) -> const std::string& { return rows.name; }, table);
}

/// One table for each kind of rows in the file. A header alone is a table that lost its rows.
std::vector<datasets::MeasuredTable> read_file(const std::string& name) {
  std::vector<datasets::MeasuredTable> tables = datasets::find_measured_tables(name, "FILE|NAME");
  if (datasets::row_count(tables.front()) == 0) {
    throw InputError(name + ":2:1", "expected a row below the header, got the end of the file");
  }
  return tables;
}

/// Sources are told apart by the stems of their files.
std::vector<datasets::MeasuredTable> read_tables(const CLI::App& app, Problems& problems) {
  std::vector<std::string> names = values_of(app, "FILE|NAME");
  if (names.empty()) names = shipped_names();
  std::vector<datasets::MeasuredTable> tables;
  std::map<std::string, std::string> first;
  for (const std::string& name : names) {
    const std::size_t before = problems.size();
    std::vector<datasets::MeasuredTable> read = gathered(problems, [&] { return read_file(name); });
    if (problems.size() > before) continue;
    const auto [earlier, is_new] = first.emplace(name_of(read.front()), name);
    if (is_new) {
      std::ranges::move(read, std::back_inserter(tables));
    } else {
      problems.push_back({name, "expected a table of another name than " + earlier->second +
                                    ", got " + in_quotes(earlier->first) + " again"});
    }
  }
  return tables;
}

MeasurementQuality parse_quality(const std::string& word) {
  constexpr std::array all{MeasurementQuality::ok, MeasurementQuality::early_pp,
                           MeasurementQuality::flag, MeasurementQuality::untuned};
  std::vector<std::string_view> names;
  for (const MeasurementQuality quality : all) {
    if (datasets::name_of(quality) == word) return quality;
    names.push_back(datasets::name_of(quality));
  }
  throw InputError("--quality", "expected one of " + support::joined(names, ", ") + ", got " +
                                    in_quotes(word) + support::did_you_mean(word, names));
}

results::WantedRows read_wanted(const CLI::App& app, Problems& problems) {
  results::WantedRows wanted;
  if (app.count("--quality") == 0) return wanted;
  wanted.qualities.clear();
  for (const std::string& word : words_of(app, "--quality")) {
    wanted.qualities.insert(gathered(problems, [&] { return parse_quality(word); }));
  }
  return wanted;
}

/// It is of runs that ship, whatever else is compared.
bool read_ablation(const CLI::App& app) {
  if (app.count("--ablation") == 0) return false;
  if (app.count("FILE|NAME") > 0 || app.count("--quality") > 0) {
    throw InputError("--ablation",
                     "expected neither FILE|NAME nor --quality beside it: constants "
                     "are fitted to tables that ship");
  }
  return true;
}

/// Nothing that is there is written over.
std::optional<fs::path> read_out(const CLI::App& app) {
  const std::optional<std::string> out = value_of(app, "--out");
  if (!out) return std::nullopt;
  if (out->empty()) throw InputError("--out", "expected DIR, got \"\"");
  require_new_folder(*out, *out);
  return fs::path(*out);
}

std::optional<fs::path> read_markdown(const CLI::App& app) {
  const std::optional<std::string> file = value_of(app, "--markdown");
  if (!file) return std::nullopt;
  if (!file->ends_with(".md")) {
    throw InputError("--markdown",
                     "expected a file name that ends in .md, got " + in_quotes(*file));
  }
  for (const std::string& input : values_of(app, "FILE|NAME")) {
    std::error_code none;  // a name, or a file that is not there yet
    if (fs::equivalent(*file, input, none)) {
      throw InputError("--markdown",
                       "expected another file than the tables, got " + in_quotes(*file) + " again");
    }
  }
  return fs::path(*file);
}

/// The command that validates the same again; of a path it has the last part only.
std::string command_of(const CLI::App& app) {
  std::string command = "cubicbench validate";
  for (const std::string& name : values_of(app, "FILE|NAME")) {
    command += " " + results::shell_word(fs::path(name).filename().string());
  }
  if (app.count("--quality") > 0) {
    command +=
        " --quality " + results::shell_word(support::joined(words_of(app, "--quality"), ","));
  }
  if (app.count("--ablation") > 0) command += " --ablation";
  return command;
}

Asked read_asked(const CLI::App& app) {
  Problems problems;
  Asked asked;
  asked.global = gathered(problems, [&] { return global_options(app); });
  asked.tables = read_tables(app, problems);
  asked.wanted = read_wanted(app, problems);
  asked.requirements = read_requirements(app, problems);
  asked.ablation = gathered(problems, [&] { return read_ablation(app); });
  asked.out = gathered(problems, [&] { return read_out(app); });
  asked.markdown = gathered(problems, [&] { return read_markdown(app); });
  asked.command = command_of(app);
  asked.all_shipped = values_of(app, "FILE|NAME").empty() && app.count("--quality") == 0;
  support::throw_if_any(problems);
  return asked;
}

/// The table of all that ships is the one that the repository keeps.
results::ValidationOrigin origin_of(const Asked& asked) {
  std::string file = "docs/validation.md";
  if (asked.markdown && !asked.all_shipped) file = asked.markdown->filename().string();
  return {.command = asked.command,
          .markdown_file = results::shell_word(file),
          .shipped = asked.all_shipped};
}

/// Writes what is asked for beside standard output and says where.
std::string write_files(const Asked& asked, const results::Document& document) {
  std::string text;
  // The page first: where its folder fails, no Markdown is left.
  if (asked.out) {
    results::write_page(document, *asked.out / "index.html");
    text += "\nOpen " + (*asked.out / "index.html").string() + " in a browser.\n";
  }
  if (asked.markdown) {
    make_folder(asked.markdown->parent_path());
    support::write_file_atomic(*asked.markdown, results::markdown_text(document));
    text += "\nThe table is in " + asked.markdown->string() + "\n";
  }
  return text;
}

Reply answer(const CLI::App& app, results::Ink) {
  const Asked asked = read_asked(app);
  const int threads = static_cast<int>(asked.global.threads);
  const results::Validation validation =
      results::validate_tables(asked.tables, asked.wanted, threads);
  const results::Summaries summaries = results::summaries_of(validation);
  std::optional<results::Ablation> ablation;
  if (asked.ablation) ablation = results::ablation_of(datasets::calibration_plans(), threads);
  results::Document shown{.title = ""};
  if (!asked.global.json || asked.out || asked.markdown) {
    shown = results::validation_document(validation, summaries, origin_of(asked),
                                         ablation ? &*ablation : nullptr);
  }
  const std::string written = write_files(asked, shown);
  nlohmann::ordered_json document = results::validation_json(validation, summaries);
  if (ablation) document["ablation"] = results::ablation_json(*ablation);
  Reply reply = asked.global.json ? support::document_text(document)
                                  : results::terminal_text(shown) + written;
  reply.noes = noes_of(asked.requirements, document);
  return reply;
}

}  // namespace

Command validate_command() {
  return {.name = "validate",
          .summary = "How near the simulator is to published measurements",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
