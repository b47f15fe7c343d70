#include "datasets/logs/log_text.h"

#include <algorithm>

#include "support/characters.h"

namespace cubicbench::datasets {
namespace {

using support::is_digit;

constexpr char escape = '\x1b';

/// Bytes of the escape sequence at the start of `text`: `ESC [`, parameters, and a final byte in
/// [@, ~]. Another escape is itself alone.
std::size_t escape_bytes(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') return 1;
  const auto is_final = [](char c) { return c >= '@' && c <= '~'; };
  const auto end = std::ranges::find_if(text.substr(2), is_final);
  const auto parameters = static_cast<std::size_t>(end - text.substr(2).begin());
  return std::min(text.size(), 2 + parameters + 1);
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    if (text.front() == escape) {
      text.remove_prefix(escape_bytes(text));
      continue;
    }
    if (text.front() != '\0') plain += text.front();
    text.remove_prefix(1);
  }
  return plain;
}

std::size_t digits_of(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

/// `[rank0]:`, `[default3]:`, `[1,3]<stdout>:`; 0 where there is none.
std::size_t bracketed_rank(std::string_view text) {
  const std::size_t end = text.find(']');
  if (end == std::string_view::npos || end < 2) return 0;
  std::string_view inside = text.substr(1, end - 1);
  std::string_view rest = text.substr(end + 1);
  std::size_t stream = 0;
  if (inside.starts_with("rank")) {
    inside.remove_prefix(4);
  } else if (inside.starts_with("default")) {
    inside.remove_prefix(7);
  } else {
    const std::size_t comma = inside.find(',');
    if (comma == std::string_view::npos || digits_of(inside) != comma) return 0;
    inside.remove_prefix(comma + 1);
    if (!rest.starts_with("<std")) return 0;
    stream = std::min(rest.find('>'), rest.size() - 1) + 1;
  }
  const bool is_rank = !inside.empty() && digits_of(inside) == inside.size();
  return is_rank && rest.substr(stream).starts_with(':') ? end + 1 + stream + 1 : 0;
}

/// `12: ` or ` 3: `.
std::size_t labelled_task(std::string_view text) {
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t digits = digits_of(text.substr(blanks));
  if (digits == 0 || digits > 6) return 0;
  const std::string_view rest = text.substr(blanks + digits);
  if (rest == ":") return text.size();
  return rest.starts_with(": ") ? blanks + digits + 2 : 0;
}

/// `task/0 `.
std::size_t named_task(std::string_view text) {
  const auto is_of_name = [](char c) {
    return support::is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
  };
  const auto end = std::ranges::find_if_not(text, is_of_name);
  const auto name = static_cast<std::size_t>(end - text.begin());
  if (name == 0 || name == text.size() || text[name] != '/') return 0;
  const std::size_t digits = digits_of(text.substr(name + 1));
  const std::size_t bytes = name + 1 + digits;
  return digits > 0 && text.substr(bytes).starts_with(' ') ? bytes + 1 : 0;
}

/// `(Worker pid=7, ip=10.0.0.1) `.
std::size_t ray_worker(std::string_view text) {
  if (!text.starts_with('(')) return 0;
  const std::size_t end = text.find(") ");
  if (end == std::string_view::npos) return 0;
  return text.substr(0, end).find(" pid=") == std::string_view::npos ? 0 : end + 2;
}

/// `2025-06-12T10:21:13.345678Z `, as kubectl and journals write it.
std::size_t iso_time(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  const bool fits = text.size() > form.size() &&
                    std::ranges::equal(text.substr(0, form.size()), form, [](char c, char of) {
                      return of == 'd' ? is_digit(c) : c == of;
                    });
  if (!fits) return 0;
  const std::size_t end = text.find_first_not_of(".0123456789Z+-:", form.size());
  return end != std::string_view::npos && text[end] == ' ' ? end + 1 : 0;
}

std::size_t launcher_bytes(std::string_view text) {
  if (text.starts_with('[')) return bracketed_rank(text);
  const std::size_t task = labelled_task(text);
  if (task > 0) return task;
  return std::max({named_task(text), ray_worker(text), iso_time(text)});
}

constexpr int prefixes_max = 4;  // of launchers that start each other

std::string cleaned(std::string_view raw) {
  const std::string plain = without_escapes(raw);
  std::string_view text = plain;
  for (int i = 0; i < prefixes_max; ++i) {
    const std::size_t bytes = launcher_bytes(text);
    if (bytes == 0) break;
    text.remove_prefix(bytes);
  }
  return std::string(text.substr(0, text.find_last_not_of(" \t") + 1));
}

}  // namespace

LogText read_log_text(std::string_view bytes, const std::string& file) {
  LogText log{.file = file, .bytes = bytes, .lines = {}};
  std::size_t number = 1;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    log.lines.push_back({.number = number, .text = cleaned(bytes.substr(0, end))});
    if (end == bytes.size()) break;
    if (bytes[end] == '\n') ++number;
    bytes.remove_prefix(end + 1);
  }
  return log;
}

}  // namespace cubicbench::datasets
