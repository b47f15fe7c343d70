#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "results/document/number_text.h"
#include "results/document/terminal.h"
#include "results/verification/verification_document.h"
#include "search/folder/campaign.h"
#include "support/interruption.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct VerifyAsked {
  std::string folder;
  std::optional<std::int64_t> sample;
  bool asks_again = false;
  std::optional<std::string> salt;
  GlobalOptions global;
};

void declare_verify(Options& options, VerifyAsked& asked) {
  options.argument("FOLDER", "The folder of a search", asked.folder).required();
  options.value("--sample", "N", "Replay only N studies (default: all)", asked.sample,
                Integer{1, search::studies_max});
  options.flag("--ask-again",
               "Also ask the searchers again for their proposals, except\nfor external programs",
               asked.asks_again);
  declare_salt(options, asked.salt);
}

Reply answer(const VerifyAsked& asked, const results::Screen& screen) {
  const support::InterruptionWatch watch({.left = "nothing was written"});
  const search::Verification verification = search::verify_search({.folder = asked.folder,
                                                                   .sample = asked.sample,
                                                                   .asks_again = asked.asks_again,
                                                                   .seal = seal_of(asked.salt),
                                                                   .threads = asked.global.threads,
                                                                   .stop = &watch.requested()});
  support::end_if_interrupted();
  Reply reply = asked.global.json
                    ? support::document_text(results::verification_json(verification))
                    : results::terminal_text(results::verification_document(verification), screen);
  if (!verification.differences.empty()) {
    reply.noes.push_back(
        "verify: " + asked.folder + " is not what the simulator answers: " +
        results::counted(verification.differences.size(), "difference", "differences"));
  }
  return reply;
}

}  // namespace

Command verify_command() { return command(words::verify, declare_verify, answer); }

}  // namespace cubicbench::cli
