#include "web/engine/answer.h"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"
#include "web/engine/program.h"
#include "web/engine/race.h"
#include "web/engine/race_json.h"

namespace cubicbench::web {
namespace {

using nlohmann::ordered_json;
using support::ObjectReader;

constexpr const char* request_name = "request";
constexpr std::array<std::string_view, 3> questions{"run", "race_begin", "race_step"};

std::vector<std::string> texts(const std::vector<support::ValueReader>& values) {
  std::vector<std::string> all;
  for (const support::ValueReader& value : values) all.push_back(value.string());
  return all;
}

ProgramCall read_call(ObjectReader& in) {
  ProgramCall call{.words = texts(in.array("words"))};
  if (auto files = in.optional_object("files")) {
    for (const std::string& name : files->keys()) call.files[name] = files->string(name);
  }
  return call;
}

RaceAsked read_race(ObjectReader& in) {
  return {.scenario = in.string("scenario"),
          .sets = texts(in.optional_array("sets")),
          .searchers = texts(in.array("searchers")),
          .launches = in.integer("launches", 1, race_launches_max),
          .seed = in.integer("seed", 0, seed_max, 0),
          .instance = in.integer("instance", 0, seed_max, 0)};
}

/// What `question` comes to; nothing is begun before the whole request has been read.
ordered_json answered(const ordered_json& request, std::unique_ptr<Race>& race) {
  std::vector<support::Problem> problems;
  ObjectReader in(request, request_name, "", problems);
  const std::string_view asked = questions[in.one_of("ask", questions)];
  const auto read = [&](const auto& reader) {
    auto wanted = reader(in);
    in.finish();
    support::throw_if_any(problems);
    return wanted;
  };
  if (asked == "run") return ran_json(ran(read(read_call)));
  if (asked == "race_begin") {
    const RaceAsked wanted = read(read_race);
    race.reset();
    race = std::make_unique<Race>(wanted);
    return begun_json(*race);
  }
  const std::int64_t launches =
      read([](ObjectReader& of) { return of.integer("launches", 1, race_launches_max); });
  if (!race) throw support::InputError(request_name, "expected a race_begin before a race_step");
  return step_json(*race, race->step(launches));
}

}  // namespace

std::string answer(const std::string& request) {
  static std::unique_ptr<Race> race;
  try {
    return support::line_text(answered(support::parse_json(request, request_name), race));
  } catch (const std::exception& error) {
    return support::line_text(ordered_json{{"error", error.what()}});
  }
}

}  // namespace cubicbench::web
