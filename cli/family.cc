#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "datasets/families/member_record.h"
#include "results/document/terminal.h"
#include "results/tables/family_members.h"
#include "support/files.h"
#include "support/json/json_document.h"
#include "support/parallel.h"

namespace cubicbench::cli {
namespace {

/// What the command line asks for.
struct FamilyAsked {
  std::string name;
  std::size_t members = 4;
  std::optional<std::string> salt;
  std::optional<std::string> out;
  bool transfer = false;
  scenarios::Family family;
  GlobalOptions global;
};

void declare_family(Options& options, FamilyAsked& asked) {
  constexpr Integer members{1, 10'000};
  options.argument("FAMILY", "A name from the library, or a path with a '/'", asked.name)
      .required()
      .check([&asked] { asked.family = scenarios::read_family(asked.name); });
  options.value("--members", "N", "Members 0..N-1 (default: 4), each drawn anew", asked.members,
                members);
  declare_salt(options, asked.salt);
  options.flag("--transfer", "Also report what the optimum of one member is worth in\nthe others",
               asked.transfer);
  options
      .value("--out", "FILE.json",
             "Write their draws and baselines, as scenarios/members/\nhas them of families that "
             "ship",
             asked.out)
      .check([&asked] {
        if (!asked.out || !asked.salt) return;
        throw support::InputError("--out",
                                  "expected no --salt beside it: what is sealed is kept nowhere");
      })
      .writes(Output::file);
}

results::FamilyMembers made(const FamilyAsked& asked) {
  const auto seal = seal_of(asked.salt);
  results::FamilyMembers all{.family = asked.family,
                             .members = std::vector<datasets::MadeMember>(asked.members)};
  support::parallel_for(asked.members, asked.global.threads, [&](std::size_t i) {
    all.members[i] = datasets::made_member(asked.family, i, seal.get(), 1);
  });
  if (asked.transfer) all.transfer = datasets::transfer_of(all.members, asked.global.threads);
  return all;
}

Reply answer(const FamilyAsked& asked, const results::Screen& screen) {
  const results::FamilyMembers all = made(asked);
  if (asked.out) {
    std::vector<datasets::Member> members;
    for (const datasets::MadeMember& one : all.members) members.push_back(one.member);
    support::write_file_atomic(
        *asked.out, support::document_text(datasets::member_record_json(asked.family, members)));
  }
  return asked.global.json ? support::document_text(results::family_json(all))
                           : results::terminal_text(results::family_document(all), screen);
}

}  // namespace

Command family_command() { return command(words::family, declare_family, answer); }

}  // namespace cubicbench::cli
