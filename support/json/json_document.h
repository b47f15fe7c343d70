#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// The version of this program, as every document of ours states it.
std::string own_version();

/// What to say of a document that version `found` made, where results would be mixed or compared:
/// "expected 0.2.0, the version of this program, got "0.1.0"".
std::string other_version(std::string_view found);

/// A document's first two keys: `"schema": "cubicbench.KIND/1"` and `"version"`.
nlohmann::ordered_json new_document(std::string_view kind);

/// The text of a document: keys in their order, two-space indent, numbers in the shortest form
/// that reads back to the same double, a newline at the end. Requires finite numbers and valid
/// UTF-8.
std::string document_text(const nlohmann::ordered_json& document);

/// The same on one line without spaces, as journals hold it.
std::string line_text(const nlohmann::ordered_json& value);

}  // namespace cubicbench::support
