#include "support/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "support/input_error.h"

namespace cubicbench::support {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 10;
/// How long we wait at a time before we look whether to go on.
constexpr int patience_ms = 100;

}  // namespace

std::optional<std::string> LineReader::taken(std::size_t end) {
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  looked_at_ = 0;
  return line;
}

bool LineReader::read_more() {
  std::array<char, chunk_bytes> chunk;
  const ssize_t got = ::read(fd_, chunk.data(), chunk.size());
  if (got > 0) read_.append(chunk.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

std::optional<std::string> LineReader::next(const std::function<bool()>& stopped) {
  while (true) {
    const std::size_t end = read_.find('\n', looked_at_);
    if (end != std::string::npos && end <= line_max_) return taken(end);
    if (read_.size() > line_max_) {
      throw OutputError("a line of more than " + std::to_string(line_max_) +
                        " bytes is no message");
    }
    looked_at_ = read_.size();
    if (stopped()) return std::nullopt;
    pollfd polled{fd_, POLLIN, 0};
    if (::poll(&polled, 1, patience_ms) <= 0) continue;
    if (!read_more()) return read_.empty() ? std::nullopt : taken(read_.size());
  }
}

}  // namespace cubicbench::support
