#include "datasets/families/member.h"

#include <utility>

#include "datasets/families/member_record.h"
#include "scenarios/family/member_name.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Audience;
using scenarios::DrawnMember;
using scenarios::Family;
using scenarios::Origin;
using scenarios::Seal;

constexpr std::uint64_t attempts_max = 1'000;

DrawnMember drawn(const Family& family, std::uint64_t number, const Seal* seal,
                  std::uint64_t attempt) {
  const std::uint64_t seed =
      seal != nullptr ? seal->member_seed(family.sha256, number, attempt)
                      : scenarios::seed_of_text("cubicbench member\nfamily " + family.sha256 +
                                                "\nmember " + std::to_string(number) +
                                                "\nattempt " + std::to_string(attempt) + "\n");
  return scenarios::drawn_member(family, number,
                                 seal != nullptr ? Audience::sealed : Audience::everybody, seed);
}

}  // namespace

MadeMember made_member(const Family& family, std::uint64_t number, const Seal* seal, int threads) {
  MadeMember made;
  made.member.number = number;
  for (std::uint64_t attempt = 0; attempt < attempts_max; ++attempt) {
    DrawnMember draw = drawn(family, number, seal, attempt);
    const scenarios::Scenario draft = scenarios::read_scenario(draw.scenario, {}, Origin::draft);
    made.judged = judge_draw(draft, draw.baseline, family.accept, threads);
    if (made.judged.refusal) {
      ++made.member.refused[static_cast<std::size_t>(*made.judged.refusal)];
      continue;
    }
    made.member.attempt = attempt;
    made.member.baseline = draft.space.to_assignment(made.judged.baseline->configuration);
    made.member.properties = made.judged.properties;
    made.member.document = scenarios::with_baseline(std::move(draw.scenario), made.member.baseline);
    made.scenario = scenarios::read_scenario(made.member.document, {}, Origin::member);
    return made;
  }
  std::string refused;
  for (std::size_t i = 0; i < refusal_names.size(); ++i) {
    if (made.member.refused[i] == 0) continue;
    refused += (refused.empty() ? "" : ", ") + std::to_string(made.member.refused[i]) + " by " +
               std::string(refusal_names[i]);
  }
  throw support::InputError(family.file + "@" + std::to_string(number),
                            "expected one of " + std::to_string(attempts_max) +
                                " draws to be accepted, all were refused: " + refused);
}

scenarios::Document member_document(const Family& family, std::uint64_t number,
                                    std::uint64_t attempt,
                                    const std::vector<scenarios::Assignment>& baseline) {
  return scenarios::with_baseline(drawn(family, number, nullptr, attempt).scenario, baseline);
}

scenarios::Scenario read_member(const std::string& name, std::span<const std::string> sets,
                                const std::shared_ptr<const Seal>& seal) {
  const auto [family_name, number] = scenarios::parse_member_name(name);
  const Family family = scenarios::read_family(family_name);
  if (!seal) {
    if (auto recorded = recorded_member(family, number)) {
      return scenarios::read_scenario(std::move(recorded->document), sets, Origin::member);
    }
  }
  MadeMember made = made_member(family, number, seal.get(), 0);
  scenarios::Scenario scenario =
      sets.empty()
          ? std::move(made.scenario)
          : scenarios::read_scenario(std::move(made.member.document), sets, Origin::member);
  scenario.seal = seal;
  scenario.is_sealed_member = seal != nullptr;
  return scenario;
}

}  // namespace cubicbench::datasets
