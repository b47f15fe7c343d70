#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "search/external/client_process.h"

namespace cubicbench::search {

/// A running client.
struct Client {
  explicit Client(const ClientCall& call) : command(call.command), process(call) {}

  std::string command;
  ClientProcess process;
  std::optional<std::int64_t> studies_left{};  ///< that it would drive still, once it has said so
};

/// The clients of one search: those that drive several studies, one after the other, are kept for
/// the next. Threads may share it.
class ClientPool {
 public:
  ClientPool() = default;
  ClientPool(const ClientPool&) = delete;
  ClientPool& operator=(const ClientPool&) = delete;
  /// Stops those that wait, all at once.
  ~ClientPool();

  /// One that waits and has not ended, or a new one. Throws ClientFailed.
  std::unique_ptr<Client> take(const ClientCall& call);
  /// After its study has ended in order: it waits for the next, or is stopped, as one is that has
  /// said more than it was asked for. False where it did not end in time, and was killed.
  bool give(std::unique_ptr<Client> client);

 private:
  std::unique_ptr<Client> take_waiting(const ClientCall& call);

  std::mutex mutex_;
  std::vector<std::unique_ptr<Client>> waiting_;
};

}  // namespace cubicbench::search
