// A condition on a document, and the document.
#include <array>
#include <nlohmann/json.hpp>

#include "scenarios/requirement.h"
#include "scenarios/space/condition_tree.h"
#include "support/input_error.h"
#include "support/json/strict_json.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr std::array conditions{"coverage >= 0.9 and not (bias < -0.1 or bias > 0.1)",
                                "\"sources.vtrain.p90_abs_rel_error\" <= 0.15",
                                "(a + 2) * b % 3 - c / 4 != 1e3 or \"list.0.x\" == -5"};

constexpr const char* document =
    R"({"coverage": 0.87, "bias": 0.02, "a": 1, "b": 2.5, "c": true, "list": [{"x": null}],
        "sources": {"vtrain": {"p90_abs_rel_error": 0.1}}, "summary": {"rows": 3}})";

Parts seed(std::size_t number) { return {conditions[number], document}; }

void run(const Parts& parts) {
  try {
    const auto requirement = scenarios::Requirement::parse(parts[0]);
    const nlohmann::ordered_json read = support::parse_json(parts[1], "input");
    const bool holds = requirement.holds(read);
    if (holds != scenarios::Requirement::parse(requirement.text()).holds(read)) {
      broken("a condition is not what its text is");
    }
    requirement.values_text(read);
  } catch (const scenarios::ConstraintError&) {
  } catch (const support::InputError&) {
  }
}

}  // namespace

Target requirement_target() {
  return {.name = "requirement",
          .forms = {Form::words, Form::json},
          .seed = seed,
          .seeds = conditions.size(),
          .run = run};
}

}  // namespace cubicbench::fuzz
