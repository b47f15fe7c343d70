#include "results/truth_lines.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/files.h"
#include "scenarios/input_error.h"
#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"

namespace cubicbench::results {
namespace {

using scenarios::InputError;
using scenarios::ObjectReader;
using scenarios::Problem;

constexpr std::int64_t count_max = std::numeric_limits<std::int64_t>::max();

void read_header(ObjectReader& in, TruthFile& file) {
  constexpr std::string_view schema = "cubicbench.truth/1";
  if (const std::string found = in.string("schema"); found != schema && in.has("schema")) {
    in.problem("schema", "expected \"" + std::string(schema) + "\", got \"" +
                             scenarios::shortened(found) + "\"");
  }
  file.truth_sha256 = in.string("truth_sha256");
}

void read_launch(ObjectReader& in, TruthFile& file) {
  TruthLine line{.trial = in.integer("trial", 0, count_max),
                 .attempt = in.integer("attempt", 0, count_max),
                 .value = std::nullopt};
  if (in.has("value")) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    line.value = in.number("value", -infinity, infinity);
  }
  file.lines.push_back(line);
}

}  // namespace

TruthFile read_truth_lines(const std::filesystem::path& path) {
  const std::string text = scenarios::read_file(path);
  std::vector<Problem> problems;
  TruthFile file;
  std::size_t number = 1;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1, ++number) {
    const std::string where = path.string() + ":" + std::to_string(number);
    nlohmann::ordered_json value;
    try {
      value = scenarios::parse_json(std::string_view(text).substr(begin, end - begin), where);
    } catch (const InputError& error) {
      problems.push_back({where, "expected a line of JSON, got damage"});
      continue;
    }
    ObjectReader in(value, where, "", problems);
    number == 1 ? read_header(in, file) : read_launch(in, file);
  }
  if (number == 1) {
    problems.push_back({path.string() + ":1", "expected a header, got none"});
  }
  scenarios::throw_if_any(problems);
  return file;
}

}  // namespace cubicbench::results
