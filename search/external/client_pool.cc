#include "search/external/client_pool.h"

#include <algorithm>
#include <utility>

namespace cubicbench::search {
namespace {

constexpr std::string_view stop_line = "{\"type\":\"stop\"}\n";

}  // namespace

ClientPool::~ClientPool() {
  for (const auto& client : waiting_) client->process.stop(stop_line);
}

std::unique_ptr<Client> ClientPool::take(const ClientCall& call) {
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find_if(
        waiting_, [&](const auto& client) { return client->command == call.command; });
    if (found != waiting_.end()) {
      std::unique_ptr<Client> client = std::move(*found);
      waiting_.erase(found);
      return client;
    }
  }
  return std::make_unique<Client>(call);
}

bool ClientPool::give(std::unique_ptr<Client> client) {
  if (client->studies_left.value_or(0) < 1) return client->process.stop(stop_line);
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(std::move(client));
  return true;
}

}  // namespace cubicbench::search
