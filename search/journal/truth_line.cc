#include "search/journal/truth_line.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "scenarios/readers/campaign_reader.h"
#include "search/journal/file_texts.h"
#include "search/journal/plain_line.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {

namespace {

using Json = nlohmann::ordered_json;
using support::ObjectReader;
using support::Problem;

constexpr std::string_view schemas[] = {"cubicbench.truth/1"};
constexpr std::int64_t instance_max = std::numeric_limits<std::int64_t>::max();

TruthLine read_launch(ObjectReader& in) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  TruthLine line{.trial = in.integer("trial", 0, scenarios::trials_max),
                 .attempt = in.integer("attempt", 0, scenarios::trials_max)};
  if (const std::string reason = in.string("reason", ""); reason.empty()) {
    line.truth.value = in.number("value", -infinity, infinity);
  } else if (const auto known = scenarios::reason_of(reason)) {
    line.truth.reason = *known;
    in.allow("value");
  } else {
    in.problem("reason", "expected a reason why configurations fail, or null, got " +
                             support::shown(Json(reason)));
    in.allow("value");
  }
  return line;
}

}  // namespace

TruthFile read_truth(const std::filesystem::path& path) {
  return read_truth_of(support::read_file(path), path);
}

TruthFile read_truth_of(std::string_view text, const std::filesystem::path& path) {
  std::vector<Problem> problems;
  TruthFile file;
  std::size_t number = 1;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string_view::npos;
       begin = end + 1, ++number) {
    const std::string_view written = text.substr(begin, end - begin);
    if (const auto line = number > 1 ? read_plain_truth(written) : std::nullopt) {
      file.lines.push_back(*line);
      continue;
    }
    const std::string where = path.string() + ":" + std::to_string(number);
    Json value;
    try {
      value = support::parse_json(written, where);
    } catch (const support::InputError&) {
      problems.push_back({where, "expected a line of JSON, got damage"});
      continue;
    }
    ObjectReader in(value, where, "", problems);
    if (number == 1) {
      in.one_of("schema", schemas);
      read_searched(in, std::nullopt, file.header);
    } else {
      file.lines.push_back(read_launch(in));
    }
    in.finish();
  }
  if (number == 1) problems.push_back({path.string() + ":1", "expected a header, got none"});
  support::throw_if_any(problems);
  return file;
}

void read_searched(ObjectReader& in, const std::optional<std::string>& otherwise,
                   TruthHeader& header) {
  header.version = in.string("version");
  header.scenario = in.string("scenario");
  header.scenario_sha256 = in.string("scenario_sha256");
  header.truth_sha256 = in.string("truth_sha256", otherwise);
  header.instance = in.integer("instance", 0, instance_max);
  header.salt_sha256 = in.string("salt_sha256", "");
}

Json searched_json(std::string_view schema, const TruthHeader& header) {
  Json document = {
      {"schema", schema},
      {"version", header.version},
      {"scenario", header.scenario},
      {"scenario_sha256", header.scenario_sha256},
      {"truth_sha256", header.truth_sha256.empty() ? Json() : Json(header.truth_sha256)},
      {"instance", header.instance}};
  if (!header.salt_sha256.empty()) document["salt_sha256"] = header.salt_sha256;
  return document;
}

std::string truth_text(const TruthHeader& header) {
  return support::line_text(searched_json(schemas[0], header));
}

std::string truth_text(const TruthLine& line) {
  const bool runs = line.truth.reason == scenarios::Reason::none;
  std::string out = R"({"trial":)";
  out.reserve(96);
  out += std::to_string(line.trial);
  out += R"(,"attempt":)";
  out += std::to_string(line.attempt);
  out += R"(,"reason":)";
  out += runs ? "null" : support::json_string(name_of(line.truth.reason));
  out += R"(,"value":)";
  out += runs ? support::shortest(line.truth.value) : "null";
  out += "}\n";
  return out;
}

}  // namespace cubicbench::search
