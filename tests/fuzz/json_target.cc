// JSON itself: what is read is written, and read again to the same.
#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/embedded.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

Parts seed(std::size_t number) { return {std::string(scenarios::embedded_files()[number].text)}; }

void run(const Parts& parts) {
  try {
    const nlohmann::ordered_json document = support::parse_json(parts[0], "input");
    const std::string text = support::document_text(document);
    if (support::document_text(support::parse_json(text, "written")) != text) {
      broken("what is written is read to something else: " + text);
    }
  } catch (const support::InputError& error) {
    if (std::string_view(error.what()).size() > 4096) broken("a message of more than 4 kB");
  }
}

}  // namespace

Target json_target() {
  return {.name = "json",
          .forms = {Form::json},
          .seed = seed,
          .seeds = scenarios::embedded_files().size(),
          .run = run};
}

}  // namespace cubicbench::fuzz
