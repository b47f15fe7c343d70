#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "search/external/client_pool.h"
#include "search/searchers/searcher.h"
#include "search/wire/seen_problem.h"

namespace cubicbench::search {

/// A searcher that is a program outside, which it talks to in lines of JSON
/// [docs/reference/wire-protocols.md]. Every function throws ClientFailed when the client does not
/// keep to the protocol: its study ends there.
class ExternalSearcher final : public Searcher {
 public:
  /// Starts the client, or takes one that waits, and greets it. `scenario` and `pool` must outlive
  /// it. `replay`: so many proposals an earlier run has recorded, which the ledger compares.
  /// `stopped`: asked while it waits for an answer.
  ExternalSearcher(const scenarios::Scenario& scenario, const StudySpec& spec,
                   const ClientCall& call, ClientPool& pool, std::int64_t replay,
                   std::function<bool()> stopped = {});
  /// A client whose study has not finished is killed.
  ~ExternalSearcher() override;

  void announce(std::int64_t launches) override;
  std::optional<Proposal> ask() override;
  bool waits() const override { return waits_; }
  void tell(const ToldTrial& trial) override;
  std::optional<scenarios::Configuration> recommend() override;

  /// The study has ended in order: the client is stopped, or waits for another study. False where
  /// it ignored that, and was killed.
  bool finish();

 private:
  void greet(std::int64_t replay);
  void propose();
  void take_proposal(const nlohmann::ordered_json& config, const nlohmann::ordered_json& fidelity);
  void send_told();
  void send(const nlohmann::ordered_json& message);
  nlohmann::ordered_json expect(const std::string& type);
  scenarios::Configuration configuration_of(const nlohmann::ordered_json& config,
                                            const std::string& what) const;

  const scenarios::Scenario& scenario_;
  StudySpec spec_;
  SeenProblem problem_;
  ClientPool& pool_;
  std::function<bool()> stopped_;
  std::unique_ptr<Client> client_;
  std::int64_t batch_ = 1;         ///< proposals that the client makes at a time, at most
  std::int64_t announced_ = 1;     ///< launches that may be started now
  std::int64_t next_trial_ = 0;    ///< number of the next proposal
  std::deque<Proposal> proposed_;  ///< and not asked for yet
  std::vector<ToldTrial> told_;    ///< and not sent yet
  std::set<scenarios::Configuration> launched_;
  bool waits_ = false;
};

}  // namespace cubicbench::search
