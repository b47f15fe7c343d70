#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "support/input_error.h"
#include "support/process.h"
#include "support/scratch_folder.h"

namespace cubicbench::search {

/// A client broke the protocol, or cannot be talked to any more. `what()` is one sentence; the
/// study that it drove has ended and keeps its journal as far as it goes.
class ClientFailed : public support::OutputError {
 public:
  using support::OutputError::OutputError;
};

/// How a client is started and how long it is waited for.
struct ClientCall {
  std::string command;                          ///< for /bin/sh
  std::chrono::milliseconds timeout{60'000};    ///< for each answer
  std::chrono::milliseconds stop_wait{10'000};  ///< for its end, once it is told to stop
};

/// `command` with each word that names a file of the working folder made absolute, so that it means
/// the same in another one. Words with anything that a shell would read otherwise stay as they are.
std::string in_any_folder(const std::string& command);

/// A program as a child, which lines are sent to and read from. It runs in a new, empty folder that
/// is removed after it, inherits no descriptor but its three streams, and sees the environment
/// without what would tell of the suite: names that hold SALT or begin with CUBICBENCH_, and PWD.
/// Whatever it leaves running in its process group is killed with it. Not to be shared by threads.
class ClientProcess {
 public:
  /// Throws ClientFailed when it cannot be started.
  explicit ClientProcess(const ClientCall& call);
  ClientProcess(const ClientProcess&) = delete;
  ClientProcess& operator=(const ClientProcess&) = delete;
  /// Ends it at once.
  ~ClientProcess();

  /// Kept until an answer is waited for, so that messages that need none cost no switch.
  void send(std::string_view line);

  /// The next line, without its newline. Throws ClientFailed when none comes in time, the client
  /// ends, it sends more than a line may have, it has said something before what was kept is sent,
  /// or `stopped` becomes true.
  std::string answer(const std::function<bool()>& stopped = {});

  /// Is it running and has said nothing that was not handed out?
  bool is_waiting();

  /// Sends a last line and waits for its end. False where that took too long, and it was killed.
  bool stop(std::string_view line);
  /// The same of many, which are waited for together.
  static bool stop_all(std::span<ClientProcess* const> clients, std::string_view line);

 private:
  void attend(std::chrono::milliseconds wait);
  void forget_what_it_says();
  std::string how_it_ended() const;

  ClientCall call_;
  support::ScratchFolder folder_;
  std::string unsent_;
  std::string read_;           ///< what came and was not handed out
  std::size_t looked_at_ = 0;  ///< bytes of `read_` that hold no newline
  bool overflows_ = false;
  std::string last_words_;  ///< the end of what it wrote to its standard error
  std::unique_ptr<support::Process> process_;
};

}  // namespace cubicbench::search
