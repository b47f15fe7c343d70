#include "search/served/serve_lines.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "search/searchers/charge.h"
#include "search/wire/messages.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;

class LineServer {
 public:
  LineServer(ServedStudy& study, const LinePeer& peer) : study_(study), peer_(peer) {}

  bool serve() {
    send(hello_message(study_.problem(), study_.spec(), study_.recorded()));
    study_.begin();
    send_told();
    while (!study_.ledger().is_closed()) {
      const std::optional<std::string> line = next();
      if (!line) return end();
      if (!line->empty()) take(*line);
    }
    return true;
  }

 private:
  void send(const Json& message) { peer_.answer(support::line_text(message)); }
  /// What is told before the first message: launches that were known, as many as fit on a line,
  /// and the baseline.
  void send_told() {
    constexpr std::size_t trials_max = 1'000;
    std::span<const ToldTrial> told = study_.told();
    while (told.size() > trials_max) {
      send(tell_message(study_.problem(), told.first(trials_max)));
      told = told.subspan(trials_max);
    }
    if (!told.empty() || study_.spec().start == Start::baseline) {
      send(tell_message(study_.problem(), told));
    }
  }

  void send_error(const std::string& why) { send({{"type", "error"}, {"message", why}}); }
  void send_done() {
    send({{"type", "done"}});
    said_done_ = true;
  }

  std::optional<std::string> next() {
    try {
      return peer_.next();
    } catch (const support::OutputError& too_long) {
      send_error(too_long.what());
      throw;
    }
  }

  [[noreturn]] void refuse_protocol(const std::string& why) {
    send_error(why);
    throw ProtocolBroken(study_.name() + ": the client broke the protocol: " + why);
  }

  /// A program may have been killed and come back: unless it was told that there is no more, the
  /// study is left open.
  bool end() {
    if (study_.was_closed()) return true;
    if (!said_done_ || study_.ledger().is_to_stop()) return false;
    study_.recommend(std::nullopt);
    return true;
  }

  void take(const std::string& line) {
    Json message;
    try {
      message = read_message(line);
    } catch (const Refused& refused) {
      refuse_protocol(refused.what());
    }
    const std::string type = message["type"];
    try {
      if (type == "evaluate") return evaluate(message);
      if (type == "budget") return send_budget();
      if (type == "recommend") return recommend(config_in(message));
    } catch (const Refused& refused) {
      return send_error(refused.what());
    } catch (const NotDeterministic& error) {
      send_error(error.what());
      throw;
    }
    refuse_protocol("There is no message of type " + support::shown(message["type"]) + ".");
  }

  void evaluate(const Json& message) {
    if (study_.ledger().is_spent()) return send_done();
    const auto fidelity = message.find("fidelity");
    const auto told =
        study_.evaluate(study_.problem().configuration_of(config_in(message)),
                        fidelity == message.end() ? whole_launch : fidelity_in(*fidelity));
    if (study_.ledger().is_stopped()) return;
    send(tell_message(study_.problem(),
                      told ? std::span<const ToldTrial>(&*told, 1) : std::span<const ToldTrial>()));
  }

  void send_budget() {
    Json answer{{"type", "budget"}};
    answer.update(budget_json(study_.ledger().balance()));
    send(answer);
  }

  void recommend(const Json& config) {
    std::optional<scenarios::Configuration> recommended;
    if (!config.is_null()) recommended = study_.problem().configuration_of(config);
    study_.recommend(recommended);
    send_done();
  }

  ServedStudy& study_;
  const LinePeer& peer_;
  bool said_done_ = false;
};

}  // namespace

bool serve_lines(ServedStudy& study, const LinePeer& peer) {
  return LineServer(study, peer).serve();
}

}  // namespace cubicbench::search
