#include "results/tables/family_members.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/document/table.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::MadeMember;
using datasets::refusal_names;
using Json = nlohmann::ordered_json;
using Counts = std::array<std::int64_t, refusal_names.size()>;

Cell share_of_percentile(const MadeMember& made) { return made.member.properties.percentile; }

std::int64_t sum_of(const Counts& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

const Field<MadeMember> member_fields[] = {
    {{"name", "NAME"}, [](const MadeMember& made) { return Cell(made.scenario.name); }},
    {{"gpus", "GPUS", Show::count},
     [](const MadeMember& made) {
       return Cell(static_cast<std::int64_t>(made.scenario.cluster.gpus));
     }},
    {{.key = "configurations", .heading = "CONFIGURATIONS", .show = Show::count},
     [](const MadeMember& made) {
       return Cell(static_cast<std::int64_t>(made.member.properties.configurations));
     }},
    {{.key = "runs", .heading = "RUN", .show = Show::percent, .help = "configurations that run"},
     [](const MadeMember& made) { return Cell(made.member.properties.runs); }},
    {{.key = "percentile",
      .heading = "PERCENTILE",
      .show = Show::fixed2,
      .help = "of the baseline among what runs"},
     share_of_percentile},
    {{.key = "gain",
      .heading = "GAIN",
      .show = Show::fixed3,
      .help = "the best known over the baseline, or the inverse where less is better"},
     [](const MadeMember& made) { return Cell(made.member.properties.gain); }},
    {{.key = "rule_launches",
      .heading = "RULE",
      .show = Show::count,
      .help = "launches that the rule of the baseline took"},
     [](const MadeMember& made) { return Cell(made.member.properties.rule_launches); }},
    {{.key = "random",
      .heading = "RANDOM",
      .show = Show::fixed2,
      .help = "share of the gap that random search closes, expected"},
     [](const MadeMember& made) { return Cell(made.member.properties.random); }},
    {{.key = "orders",
      .heading = "ORDERS",
      .show = Show::fixed2,
      .help = "what the first configurations or corners close, whichever is more"},
     [](const MadeMember& made) { return Cell(made.member.properties.orders.best()); }},
    {{.key = "refused", .heading = "REFUSED", .show = Show::count, .help = "draws before this one"},
     [](const MadeMember& made) { return Cell(sum_of(made.member.refused)); }},
    {{.key = "summary", .heading = "SUMMARY"},
     [](const MadeMember& made) { return Cell(made.scenario.summary); }}};

Counts refused_by(const FamilyMembers& of) {
  Counts counts{};
  for (const MadeMember& made : of.members) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += made.member.refused[i];
  }
  return counts;
}

std::string refused_text(const FamilyMembers& of) {
  const Counts counts = refused_by(of);
  std::string text =
      counted(of.members.size(), "member", "members") + " of " +
      counted(of.members.size() + static_cast<std::uint64_t>(sum_of(counts)), "draw", "draws");
  const char* separator = "; refused by ";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    text += separator + std::string(refusal_names[i]) + " " + grouped(counts[i]);
    separator = ", ";
  }
  return text + ".";
}

double share(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

/// Its shares, by name.
std::array<std::pair<const char*, double>, 5> transfer_shares(const datasets::Transfer& t) {
  return {{{"runs", share(t.runs, t.pairs)},
           {"in_best_1_percent", share(t.in_best_1, t.pairs)},
           {"in_best_5_percent", share(t.in_best_5, t.pairs)},
           {"gap_closed", t.gap_closed},
           {"gap_closed_by_best_of_5", t.best_of_5}}};
}

Table transfer_table(const datasets::Transfer& transfer) {
  Table table{.columns = {{.key = "name", .heading = "OPTIMUM ELSEWHERE"},
                          {.key = "share", .heading = "SHARE", .show = Show::percent}}};
  for (const auto& [name, value] : transfer_shares(transfer)) {
    add_row(table, {{"name", Cell(std::string(name))}, {"share", Cell(value)}});
  }
  return table;
}

}  // namespace

Document family_document(const FamilyMembers& of) {
  Document document;
  document.title = "Members of " + of.family.name;
  const Table table = table_of<MadeMember>(of.members, member_fields);
  document.add(table);
  document.add(Paragraph{refused_text(of)});
  document.add(Paragraph{help_text(table)});
  if (of.transfer) document.add(transfer_table(*of.transfer));
  return document;
}

Json family_json(const FamilyMembers& of) {
  Json document = support::new_document("members");
  document["family"] = of.family.name;
  document["family_sha256"] = of.family.sha256;
  document["members"] = json_of(table_of<MadeMember>(of.members, member_fields));
  Json refused = Json::object();
  const Counts counts = refused_by(of);
  for (std::size_t i = 0; i < counts.size(); ++i)
    refused[std::string(refusal_names[i])] = counts[i];
  document["refused"] = std::move(refused);
  if (!of.transfer) return document;
  for (const auto& [name, value] : transfer_shares(*of.transfer)) {
    document["transfer"][name] = value;
  }
  return document;
}

}  // namespace cubicbench::results
