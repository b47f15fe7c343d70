#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace cubicbench::results {

/// Takes the next piece of a file.
using FilePiece = std::function<void(std::string_view)>;

/// The content of a file piece by piece, made as it is written because all of it would take much
/// memory. Nothing: there is none of this kind.
using FilePieces = std::function<void(const FilePiece&)>;

/// All of them.
inline std::string text_of(const FilePieces& pieces) {
  std::string text;
  pieces([&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace cubicbench::results
