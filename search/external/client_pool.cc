#include "search/external/client_pool.h"

#include <algorithm>
#include <utility>

namespace cubicbench::search {
namespace {

constexpr std::string_view stop_line = "{\"type\":\"stop\"}\n";

}  // namespace

ClientPool::~ClientPool() {
  std::vector<ClientProcess*> processes;
  for (const auto& client : waiting_) processes.push_back(&client->process);
  ClientProcess::stop_all(processes, stop_line);
}

std::unique_ptr<Client> ClientPool::take_waiting(const ClientCall& call) {
  const std::scoped_lock lock(mutex_);
  // Of those that have ended or spoken since, nothing more is expected.
  std::erase_if(waiting_, [](const auto& client) { return !client->process.is_waiting(); });
  const auto found = std::ranges::find_if(
      waiting_, [&](const auto& client) { return client->command == call.command; });
  if (found == waiting_.end()) return nullptr;
  std::unique_ptr<Client> client = std::move(*found);
  waiting_.erase(found);
  return client;
}

std::unique_ptr<Client> ClientPool::take(const ClientCall& call) {
  std::unique_ptr<Client> client = take_waiting(call);
  return client ? std::move(client) : std::make_unique<Client>(call);
}

bool ClientPool::give(std::unique_ptr<Client> client) {
  const bool goes_on = client->studies_left.value_or(0) >= 1 && client->process.is_waiting();
  if (!goes_on) return client->process.stop(stop_line);
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(client));
  return true;
}

}  // namespace cubicbench::search
