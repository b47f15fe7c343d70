#include "web/engine/program.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/run.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::web {
namespace {

std::set<std::string> files_here() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    if (entry.is_regular_file()) names.insert(entry.path().filename().string());
  }
  return names;
}

void write(const Files& files) {
  for (const auto& [name, text] : files) {
    if (name.empty() || std::filesystem::path(name).filename() != name || name.starts_with('.')) {
      throw support::InputError("request#/files",
                                "expected names of files, got " + support::in_quotes(name));
    }
    support::write_file_atomic(name, text);
  }
}

Files taken(const std::set<std::string>& before) {
  Files files;
  for (const std::string& name : files_here()) {
    if (before.contains(name)) continue;
    files[name] = support::read_file(name);
    std::filesystem::remove(name);
  }
  return files;
}

}  // namespace

ProgramEnd ran(const ProgramCall& call) {
  write(call.files);
  const std::set<std::string> before = files_here();
  std::ostringstream out;
  std::ostringstream err;
  std::vector<std::string> words = call.words;
  words.emplace_back("--quiet");
  ProgramEnd end;
  end.code = cli::run(words, out, err);
  end.out = out.str();
  end.err = err.str();
  end.files = taken(before);
  return end;
}

nlohmann::ordered_json ran_json(const ProgramEnd& end) {
  return {{"code", end.code}, {"out", end.out}, {"err", end.err}, {"files", end.files}};
}

}  // namespace cubicbench::web
