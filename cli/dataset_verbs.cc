#include "cli/dataset_verbs.h"

#include <CLI/CLI.hpp>
#include <system_error>
#include <vector>

#include "cli/options.h"
#include "results/document/number_text.h"
#include "support/input_error.h"

namespace cubicbench::cli {

namespace fs = std::filesystem;
using support::InputError;

std::string in_quotes(std::string_view text) { return '"' + support::shortened(text) + '"'; }

std::string dataset_argument(const CLI::App& app, const std::string& expected) {
  const std::vector<std::string> arguments = values_of(app, "NAME");
  if (arguments.empty()) throw InputError("dataset", "expected " + expected);
  if (arguments.size() > 1) throw InputError(arguments[1], "unexpected argument");
  return arguments.front();
}

fs::path csv_out_of(const CLI::App& app) {
  const std::string out = value_of(app, "--out").value_or("");
  if (!out.ends_with(".csv")) {
    throw InputError("--out", "expected a file name that ends in .csv, got " +
                                  (out.empty() ? std::string("nothing") : in_quotes(out)));
  }
  return out;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) {
    throw support::OutputError("cannot write " + folder.string() + ": " +
                               std::generic_category().message(error.value()));
  }
}

std::string count_text(std::size_t count, const char* one, const char* many) {
  return count == 1 ? std::string("1 ") + one : results::grouped(count) + " " + many;
}

}  // namespace cubicbench::cli
