#include "tests/scenarios/broken_file.h"

#include <nlohmann/json.hpp>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"
#include "support/json/strict_json.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

const TemporaryFolder& test_folder() {
  static const TemporaryFolder folder;
  return folder;
}

}  // namespace

std::string in_test_folder(const std::string& name) { return test_folder() / name; }

void write(const std::string& name, const std::string& content) {
  write_text(test_folder() / name, content);
}

std::string message_of(const std::string& name, const std::vector<std::string>& sets) {
  try {
    read_scenario(name, sets);
    return "";
  } catch (const support::InputError& error) {
    std::string message = error.what();
    const std::string folder = in_test_folder("");
    for (std::size_t at = message.find(folder); at != std::string::npos;
         at = message.find(folder)) {
      message.erase(at, folder.size());
    }
    return message;
  }
}

std::string test_scenario(const std::string& name) {
  return std::string(CUBICBENCH_SOURCE_DIR) + "/tests/scenarios/" + name + ".json";
}

std::string scenario_text(const std::string& name) {
  if (const auto shipped = text(Kind::scenario, name)) return std::string(*shipped);
  return read_text(test_scenario(name));
}

std::string message_after(const char* base, const char* pointer, const char* value) {
  nlohmann::ordered_json json = support::parse_json(scenario_text(base), "x");
  const nlohmann::ordered_json::json_pointer where(pointer);
  json[where] = nlohmann::ordered_json::parse(value);
  write("s.json", json.dump());
  return message_of(in_test_folder("s.json"));
}

}  // namespace cubicbench::scenarios
