// Logs of training programs: read as a table, and validated as one.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

/// The excerpts that the tests of the readers have, by name.
const std::vector<std::string>& excerpts() {
  static const std::vector<std::string> texts = [] {
    const auto folder =
        std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "tests/datasets/logs/excerpts";
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".tsv") paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    std::vector<std::string> found;
    for (const auto& path : paths) {
      std::ifstream in(path, std::ios::binary);
      found.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    if (found.empty()) broken("no excerpts of logs are there");
    return found;
  }();
  return texts;
}

Parts seed(std::size_t number) { return {excerpts()[number]}; }

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  const std::string file = folder / "run.log";
  write(file, parts[0]);
  checked({"import", file, "--out", folder / "runs.csv", "--json"});
  checked({"validate", file, "--json"});
}

}  // namespace

Target logs_target() {
  return {
      .name = "logs", .forms = {Form::words}, .seed = seed, .seeds = excerpts().size(), .run = run};
}

}  // namespace cubicbench::fuzz
