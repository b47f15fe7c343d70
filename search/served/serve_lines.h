#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "search/served/served_search.h"

namespace cubicbench::search {

/// Somebody who asks, line by line, and is answered. Both may be called from one thread only.
struct LinePeer {
  /// The next line; nothing when no more comes.
  std::function<std::optional<std::string>()> next;
  /// Takes an answer, with its newline.
  std::function<void(std::string_view)> answer;
};

/// Serves one study to a program that drives it [docs/reference/wire-protocols.md]: greets it, then
/// answers `evaluate`, which may ask for a short launch by its `fidelity`, with what is told of the
/// trial, or with `done` once the budget is spent, `budget` with what is left, and `recommend`,
/// which closes the study, with `done`. What a study refuses is answered by `error` and costs
/// nothing. Where no more is asked, a study is left open unless `done` was said.
///
/// True: the study is closed. Throws ProtocolBroken for a line that is no message or of a type that
/// there is not, and NotDeterministic, after an answer that says so.
bool serve_lines(ServedStudy& study, const LinePeer& peer);

/// A program sent what the protocol does not have.
class ProtocolBroken : public support::OutputError {
 public:
  using support::OutputError::OutputError;
};

}  // namespace cubicbench::search
