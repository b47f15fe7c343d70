#include "support/json/json_document.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/input_error.h"
#include "support/json/canonical.h"

namespace cubicbench::support {
namespace {

using Json = nlohmann::ordered_json;

/// How a value is laid out: `newline` and `indent` are empty on one line.
struct Layout {
  std::string newline;
  std::string indent;
  std::string colon;
  std::string comma;
};

/// A path may be no UTF-8, and JSON must be: bytes that are none become U+FFFD.
std::string plain(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The library's own writer is not always the shortest one for floats. `-0` would be an integer,
/// which has no such zero.
std::string float_text(double x) { return x == 0.0 && std::signbit(x) ? "-0.0" : shortest(x); }

void write(const Json& value, const Layout& layout, const std::string& indent, std::string& out) {
  if (!value.is_structured()) {
    out += value.is_number_float() ? float_text(value.get<double>()) : plain(value);
    return;
  }
  const bool is_object = value.is_object();
  out += is_object ? '{' : '[';
  const std::string inner = indent + layout.indent;
  bool first = true;
  for (const auto& [key, element] : value.items()) {
    out += (first ? layout.newline : layout.comma + layout.newline) + inner;
    if (is_object) out += plain(key) + layout.colon;
    write(element, layout, inner, out);
    first = false;
  }
  if (!value.empty()) out += layout.newline + indent;
  out += is_object ? '}' : ']';
}

std::string written(const Json& value, const Layout& layout) {
  std::string text;
  write(value, layout, "", text);
  return text + "\n";
}

}  // namespace

std::string own_version() { return CUBICBENCH_VERSION; }

std::string other_version(std::string_view found) {
  return "expected " + own_version() + ", the version of this program, got \"" + shortened(found) +
         "\"";
}

nlohmann::ordered_json new_document(std::string_view kind) {
  return {{"schema", "cubicbench." + std::string(kind) + "/1"}, {"version", own_version()}};
}

std::string document_text(const nlohmann::ordered_json& document) {
  return written(document, {.newline = "\n", .indent = "  ", .colon = ": ", .comma = ","});
}

std::string line_text(const nlohmann::ordered_json& value) {
  return written(value, {.newline = "", .indent = "", .colon = ":", .comma = ","});
}

}  // namespace cubicbench::support
