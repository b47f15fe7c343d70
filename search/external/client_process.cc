#include "search/external/client_process.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "search/wire/messages.h"
#include "support/characters.h"
#include "support/shell_word.h"
#include "support/shortened_to.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;
using Clock = support::Process::Clock;

/// A last word that is worth keeping is no longer.
constexpr std::size_t last_words_max = 4096;
/// So much of its last line is shown: paths are long.
constexpr std::size_t said_max = 200;
/// How long we wait at a time before we look whether the study was stopped.
constexpr milliseconds patience{100};

bool is_plain(char c) {
  return support::is_letter(c) || support::is_digit(c) ||
         std::string_view("._-+/@%").find(c) != std::string_view::npos;
}

bool tells_of_the_suite(std::string_view variable) {
  std::string name(variable.substr(0, variable.find('=')));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name.find("SALT") != std::string::npos || name.starts_with("CUBICBENCH_") ||
         name == "PWD" || name == "OLDPWD";
}

std::vector<std::string> clean_environment() {
  std::vector<std::string> clean;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!tells_of_the_suite(*variable)) clean.emplace_back(*variable);
  }
  return clean;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace

std::string in_any_folder(const std::string& command) {
  std::string absolute;
  for (std::size_t begin = 0; begin < command.size();) {
    const std::size_t space = std::min(command.find(' ', begin), command.size());
    const std::string word = command.substr(begin, space - begin);
    std::error_code ignored;
    const bool is_file = !word.empty() && std::ranges::all_of(word, is_plain) &&
                         word.front() != '-' && std::filesystem::is_regular_file(word, ignored);
    absolute +=
        is_file ? support::shell_word(std::filesystem::absolute(word, ignored).string()) : word;
    if (space < command.size()) absolute += ' ';
    begin = space + 1;
  }
  return absolute;
}

ClientProcess::ClientProcess(const ClientCall& call) : call_(call) {
  support::ProcessCall how = support::shell_call(in_any_folder(call.command));
  how.environment = clean_environment();
  how.folder = folder_.path().string();
  how.is_conversation = true;
  const support::ProcessSinks sinks{
      .out =
          [this](std::string_view text) {
            overflows_ = overflows_ || read_.size() + text.size() > 2 * wire_line_max;
            if (!overflows_) read_ += text;
          },
      .err =
          [this](std::string_view text) {
            last_words_ += text;
            if (last_words_.size() > last_words_max) {
              last_words_.erase(0, last_words_.size() - last_words_max);
            }
          }};
  try {
    process_ = std::make_unique<support::Process>(how, "", sinks);
  } catch (const support::NotStarted& error) {
    throw ClientFailed(error.what());
  }
}

ClientProcess::~ClientProcess() = default;

void ClientProcess::send(std::string_view line) { unsent_ += line; }

void ClientProcess::attend(milliseconds wait) {
  support::Process* const self = process_.get();
  support::Process::attend({&self, 1}, wait);
}

std::string ClientProcess::how_it_ended() const {
  const support::ProcessEnd& end = process_->end();
  std::string how = end.signal != 0 ? "by signal " + std::to_string(end.signal)
                                    : "with exit code " + std::to_string(end.exit_code);
  const std::string said = last_line(last_words_);
  if (!said.empty())
    how += "; last line on its standard error: " + support::shortened_to(said, said_max);
  return how;
}

bool ClientProcess::is_waiting() {
  attend(milliseconds{0});
  return !process_->ended() && read_.empty() && !overflows_;
}

std::string ClientProcess::answer(const std::function<bool()>& stopped) {
  attend(milliseconds{0});
  if (!read_.empty()) {
    throw ClientFailed("the client sent a line that nobody had asked for: \"" +
                       support::shortened(read_.substr(0, read_.find('\n'))) + '"');
  }
  process_->send(std::exchange(unsent_, ""));
  const Clock::time_point until = Clock::now() + call_.timeout;
  while (true) {
    const std::size_t end = read_.find('\n', looked_at_);
    if (overflows_ || std::min(end, read_.size()) > wire_line_max) {
      throw ClientFailed("the client sent a line of more than 1 MiB");
    }
    if (end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      looked_at_ = 0;
      return line;
    }
    looked_at_ = read_.size();
    if (process_->ended()) {
      throw ClientFailed("the client exited before it answered, " + how_it_ended());
    }
    const Clock::time_point now = Clock::now();
    if (now >= until) {
      throw ClientFailed(
          "the client did not answer within " +
          std::to_string(std::chrono::duration_cast<std::chrono::seconds>(call_.timeout).count()) +
          " s (--client-timeout)");
    }
    if (stopped && stopped()) throw ClientFailed("the study was stopped");
    attend(std::min(patience, std::chrono::ceil<milliseconds>(until - now)));
  }
}

bool ClientProcess::stop(std::string_view line) {
  ClientProcess* const self = this;
  return stop_all({&self, 1}, line);
}

bool ClientProcess::stop_all(std::span<ClientProcess* const> clients, std::string_view line) {
  Clock::time_point until = Clock::now();
  std::vector<support::Process*> processes;
  for (ClientProcess* client : clients) {
    client->unsent_ += line;
    client->process_->send(std::exchange(client->unsent_, ""));
    client->process_->end_input();
    until = std::max(until, Clock::now() + client->call_.stop_wait);
    processes.push_back(client->process_.get());
  }
  const auto all_ended = [&] { return std::ranges::all_of(processes, &support::Process::ended); };
  while (!all_ended() && Clock::now() < until) {
    for (ClientProcess* client : clients) client->forget_what_it_says();
    support::Process::attend(
        processes, std::min(patience, std::chrono::ceil<milliseconds>(until - Clock::now())));
  }
  const bool in_time = all_ended();
  for (ClientProcess* client : clients) client->process_.reset();
  return in_time;
}

void ClientProcess::forget_what_it_says() {
  read_.clear();
  looked_at_ = 0;
  overflows_ = false;
}

}  // namespace cubicbench::search
