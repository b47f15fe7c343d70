#include "cli/options/command.h"

#include "results/document/paragraph.h"

namespace cubicbench::cli {
namespace {

void put_in(std::string& text, std::string_view placeholder, const std::string& value) {
  if (value.empty()) return;
  for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos;
       at += value.size()) {
    text.replace(at, placeholder.size(), value);
  }
}

}  // namespace

std::string next_text(std::string_view next, const std::string& scenario, const std::string& dir) {
  if (next.empty()) return "";
  std::string text = "\nNext:\n" + results::indented(next, 2);
  put_in(text, "SCENARIO", scenario);
  put_in(text, "DIR", dir);
  return text;
}

}  // namespace cubicbench::cli
