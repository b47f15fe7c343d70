// A table of measurements: its rows are mapped to problems, simulated and judged.
#include "datasets/embedded.h"
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr std::size_t rows_max = 6;

/// The first rows of each table that ships.
const std::vector<std::string>& shipped() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> found;
    for (const auto& file : datasets::embedded_files()) {
      if (!file.path.ends_with(".csv")) continue;
      std::size_t end = 0;
      for (std::size_t row = 0; row <= rows_max && end < file.text.size(); ++row) {
        end = std::min(file.text.find('\n', end), file.text.size() - 1) + 1;
      }
      found.emplace_back(file.text.substr(0, end));
    }
    return found;
  }();
  return texts;
}

Parts seed(std::size_t number) { return {shipped()[number]}; }

void run(const Parts& parts) {
  const std::string file = fresh_folder() / "runs.csv";
  write(file, parts[0]);
  checked({"validate", file, "--json"});
  checked({"dataset", "describe", file, "--json"});
}

}  // namespace

Target measurements_target() {
  return {.name = "measurements",
          .forms = {Form::table},
          .seed = seed,
          .seeds = shipped().size(),
          .run = run};
}

}  // namespace cubicbench::fuzz
