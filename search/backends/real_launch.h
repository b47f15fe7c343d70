#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"
#include "search/backends/command_protocol.h"

namespace cubicbench::search {

// What the backends that run real jobs have in common.

/// A configuration outside the space is what a command that says `invalid` makes of it.
inline constexpr std::string_view invalid_answer = R"({"state":"fail","reason":"invalid"})";

/// How many GPUs the launch takes; of one outside the space all of them, none of which it held.
int gpus_of(const scenarios::Scenario& scenario, const Launch& launch);

/// Tells a user, each once a study, why the first last line that is no answer is none, where that
/// made a failure of a launch, and what the first answer of a failure says in its `message`.
class FailureNotes {
 public:
  using Note = std::function<void(const std::string&)>;

  /// An empty `note` discards the notes.
  explicit FailureNotes(Note note) : note_(std::move(note)) {}

  /// A launch that was observed so came to this.
  void add(std::int64_t trial, const ObservedJob& observed, const scenarios::TrialOutcome& outcome);

 private:
  void once(bool& noted, std::int64_t trial, const std::string& text);

  Note note_;
  bool noted_no_answer_ = false;
  bool noted_message_ = false;
};

}  // namespace cubicbench::search
