#include "search/external/external_searcher.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/problem/granted_baseline.h"
#include "search/wire/messages.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Configuration;

constexpr std::int64_t batch_max = 4096;

/// A capability of `ready`: an integer from 1 on.
std::int64_t capability(const Json& ready, const char* name) {
  const auto found = ready.find(name);
  if (found == ready.end() || found->is_null()) return 1;
  if (!found->is_number_integer() || *found < 1) {
    throw ClientFailed(std::string("the client's ") + name + " is an integer from 1 on, got " +
                       support::shown(*found));
  }
  return found->get<std::int64_t>();
}

}  // namespace

ExternalSearcher::ExternalSearcher(const scenarios::Scenario& scenario, const StudySpec& spec,
                                   const ClientCall& call, ClientPool& pool, std::int64_t replay,
                                   std::function<bool()> stopped)
    : scenario_(scenario),
      spec_(spec),
      problem_(scenario, spec),
      pool_(pool),
      stopped_(std::move(stopped)),
      client_(pool.take(call)) {
  if (spec.start == Start::baseline) {
    launched_.insert(*scenarios::granted_baseline(scenario));
    next_trial_ = 1;
  }
  const bool is_new = !client_->studies_left;
  try {
    greet(replay);
  } catch (const ClientFailed&) {
    if (is_new || (stopped_ && stopped_())) throw;
    // One that drove another study does not drive this one, which is not this one's fault.
    client_ = std::make_unique<Client>(call);
    greet(replay);
  }
}

ExternalSearcher::~ExternalSearcher() = default;

void ExternalSearcher::send(const Json& message) {
  client_->process.send(support::line_text(message));
}

Json ExternalSearcher::expect(const std::string& type) {
  const std::string line = client_->process.answer(stopped_);
  Json message;
  try {
    message = read_message(line);
  } catch (const Refused& refused) {
    throw ClientFailed(std::string("the client's answer is not a message: ") + refused.what());
  }
  if (message["type"] != type) {
    throw ClientFailed("the client sent " + support::shown(message["type"]) + " where \"" + type +
                       "\" was expected");
  }
  return message;
}

void ExternalSearcher::greet(std::int64_t replay) {
  send(hello_message(problem_, spec_, replay));
  const Json ready = expect("ready");
  if (const auto found = ready.find("protocol"); found == ready.end() || *found != wire_protocol) {
    throw ClientFailed("the client speaks protocol " +
                       (found == ready.end() ? "null" : support::shown(*found)) +
                       ", this version speaks " + std::to_string(wire_protocol));
  }
  batch_ = std::min(capability(ready, "batch"), batch_max);
  if (!client_->studies_left) client_->studies_left = capability(ready, "studies");
  --*client_->studies_left;
}

void ExternalSearcher::announce(std::int64_t launches) {
  announced_ = launches;
  waits_ = false;
}

std::optional<Proposal> ExternalSearcher::ask() {
  if (proposed_.empty() && !waits_) propose();
  if (proposed_.empty()) return std::nullopt;
  Proposal next = std::move(proposed_.front());
  proposed_.pop_front();
  --announced_;
  return next;
}

void ExternalSearcher::propose() {
  const std::int64_t wanted = std::clamp(announced_, std::int64_t{1}, batch_);
  send_told();
  send({{"type", "ask"}, {"n", wanted}});
  const Json answer = expect("propose");
  const auto configs = answer.find("configs");
  if (configs == answer.end() || !configs->is_array()) {
    throw ClientFailed("the client sent \"propose\" without an array of configs");
  }
  const auto count = std::ssize(*configs);
  if (count > wanted) {
    throw ClientFailed("the client proposed " + std::to_string(count) + " configs, asked for " +
                       std::to_string(wanted));
  }
  const auto given = answer.find("fidelities");
  const bool whole = given == answer.end() || given->is_null();
  if (!whole && (!given->is_array() || std::ssize(*given) != count)) {
    throw ClientFailed("the client sent fidelities that are no array with one for each config");
  }
  for (std::size_t i = 0; i < configs->size(); ++i) {
    take_proposal((*configs)[i], whole ? Json() : (*given)[i]);
  }
  waits_ = count > 0 && count < wanted;
}

void ExternalSearcher::take_proposal(const Json& config, const Json& fidelity) {
  const std::string what = "proposal " + std::to_string(next_trial_);
  const Configuration configuration = configuration_of(config, what);
  double share = whole_launch;
  try {
    share = fidelity_in(fidelity);
  } catch (const Refused& refused) {
    throw ClientFailed("the client's " + what + " cannot be launched: " + refused.what());
  }
  if (share < whole_launch && !serves_fidelities(spec_)) {
    throw ClientFailed("the client's " + what +
                       " has a fidelity below 1, which needs a simulated scenario");
  }
  launched_.insert(configuration);
  ++next_trial_;
  proposed_.push_back({.config = configuration, .fidelity = share});
}

Configuration ExternalSearcher::configuration_of(const Json& config,
                                                 const std::string& what) const {
  try {
    return problem_.configuration_of(config);
  } catch (const Refused& refused) {
    throw ClientFailed("the client's " + what + " is no configuration: " + refused.what());
  }
}

void ExternalSearcher::tell(const ToldTrial& trial) { told_.push_back(trial); }

void ExternalSearcher::send_told() {
  if (told_.empty()) return;
  send(tell_message(problem_, told_));
  told_.clear();
}

std::optional<Configuration> ExternalSearcher::recommend() {
  send_told();
  send({{"type", "recommend"}});
  const Json config = config_in(expect("recommend"));
  if (config.is_null()) return std::nullopt;
  const Configuration recommended = configuration_of(config, "recommendation");
  if (!launched_.contains(recommended)) {
    throw ClientFailed("the client recommended a configuration that was never launched");
  }
  return recommended;
}

bool ExternalSearcher::finish() { return pool_.give(std::move(client_)); }

}  // namespace cubicbench::search
