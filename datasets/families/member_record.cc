#include "datasets/families/member_record.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "scenarios/readers/space_reader.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Family;
using scenarios::Kind;
using support::ObjectReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.family-members/1"};
constexpr std::int64_t count_max = 1'000'000'000'000'000'000;

Json settings_json(const std::vector<scenarios::Assignment>& settings) {
  Json json = Json::object();
  for (const scenarios::Assignment& a : settings) {
    json[std::string(a.setting->name)] = scenarios::json_of(*a.setting, a.value);
  }
  return json;
}

Json member_json(const Member& member) {
  Json refused = Json::object();
  for (std::size_t i = 0; i < refusal_names.size(); ++i) {
    if (member.refused[i] > 0) refused[std::string(refusal_names[i])] = member.refused[i];
  }
  const MemberProperties& p = member.properties;
  return {{"member", member.number},
          {"attempt", member.attempt},
          {"refused", std::move(refused)},
          {"baseline", settings_json(member.baseline)},
          {"properties",
           {{"configurations", p.configurations},
            {"runs", p.runs},
            {"percentile", p.percentile},
            {"gain", p.gain},
            {"rule_launches", p.rule_launches},
            {"random", p.random},
            {"listed", p.orders.listed},
            {"corners", p.orders.corners}}}};
}

MemberProperties read_properties(ObjectReader in) {
  MemberProperties p{
      .configurations = static_cast<std::uint64_t>(in.integer("configurations", 0, count_max)),
      .runs = in.number("runs", 0.0, 1.0),
      .percentile = in.number("percentile", 0.0, 100.0),
      .gain = in.number("gain", 0.0, 1e18),
      .rule_launches = in.integer("rule_launches", 0, count_max),
      .random = in.number("random", 0.0, 1.0),
      .orders = {.listed = in.number("listed", 0.0, 1.0),
                 .corners = in.number("corners", 0.0, 1.0)}};
  in.finish();
  return p;
}

Member read_record(ObjectReader in) {
  Member member;
  member.number = static_cast<std::uint64_t>(in.integer("member", 0, count_max));
  member.attempt = static_cast<std::uint64_t>(in.integer("attempt", 0, count_max));
  ObjectReader refused = in.object("refused");
  for (std::size_t i = 0; i < refusal_names.size(); ++i) {
    member.refused[i] = refused.integer(refusal_names[i], 0, count_max, 0);
  }
  refused.finish();
  // A setting of another kind of model is noticed where the scenario is read.
  ObjectReader baseline = in.object("baseline");
  for (const std::string& name : baseline.keys()) {
    const scenarios::Setting* const setting = scenarios::find_setting(name);
    const auto code =
        setting == nullptr ? std::nullopt : scenarios::code_of(*setting, *baseline.raw(name));
    if (code) {
      member.baseline.push_back({setting, *code});
    } else {
      baseline.problem(name, "expected a setting and a value of it");
    }
  }
  member.properties = read_properties(in.object("properties"));
  in.finish();
  return member;
}

/// The members of the record that ships; none where it is of another version of the family.
std::vector<Member> record_of(const Family& family) {
  // A family at a path may have the name of one that ships.
  if (family.file != scenarios::file_of(Kind::family, family.name)) return {};
  const auto text = scenarios::text(Kind::members, family.name);
  if (!text) return {};
  const std::string file = scenarios::file_of(Kind::members, family.name);
  const Json json = support::parse_json(*text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  in.string("family");
  const std::string sha256 = in.string("family_sha256");
  std::vector<Member> members;
  for (const support::ValueReader& value : in.array("members")) {
    members.push_back(read_record(value.object()));
  }
  in.finish();
  support::throw_if_any(problems);
  return sha256 == family.sha256 ? members : std::vector<Member>();
}

}  // namespace

Json member_record_json(const Family& family, const std::vector<Member>& members) {
  Json list = Json::array();
  for (const Member& member : members) list.push_back(member_json(member));
  return {{"schema", schemas.front()},
          {"family", family.name},
          {"family_sha256", family.sha256},
          {"members", std::move(list)}};
}

std::optional<Member> recorded_member(const Family& family, std::uint64_t number) {
  for (Member& member : record_of(family)) {
    if (member.number != number) continue;
    member.document = member_document(family, number, member.attempt, member.baseline);
    return std::move(member);
  }
  return std::nullopt;
}

std::uint64_t recorded_members(const Family& family) { return record_of(family).size(); }

}  // namespace cubicbench::datasets
