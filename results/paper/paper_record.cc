#include "results/paper/paper_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "support/sha256.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* record_name = "index.made.json";

/// Every file below `folder` but the record, by name.
Json hashes_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path().lexically_relative(folder));
  }
  std::ranges::sort(paths);
  Json hashes = Json::object();
  for (const fs::path& path : paths) {
    if (path == record_name) continue;
    hashes[path.generic_string()] = support::sha256_hex(support::read_file(folder / path));
  }
  return hashes;
}

/// All of the record but the answer.
Json frame_of(const fs::path& folder, const std::string& asked) {
  Json record = support::new_document("paper_record");
  record["asked"] = asked;
  record["files"] = hashes_below(folder);
  return record;
}

/// A program that was built since may draw otherwise, whatever its version says.
bool is_older_than_program(const fs::path& record) {
  return fs::last_write_time(record) < fs::last_write_time("/proc/self/exe");
}

PaperAnswer take_answer(Json& record) {
  PaperAnswer answer{.document = record.at("document").get<std::string>(),
                     .text = record.at("text").get<std::string>()};
  record.erase("document");
  record.erase("text");
  return answer;
}

}  // namespace

void keep_answer(const fs::path& folder, const std::string& asked, const PaperAnswer& answer) {
  Json record = frame_of(folder, asked);
  record["document"] = answer.document;
  record["text"] = answer.text;
  support::write_file_atomic(folder / record_name, support::document_text(record));
}

std::optional<PaperAnswer> kept_answer(const fs::path& folder, const std::string& asked) {
  const fs::path path = folder / record_name;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  // Whatever is wrong with the record, all that it saves is work.
  try {
    if (is_older_than_program(path)) return std::nullopt;
    Json record = support::parse_json(support::read_file(path), path.string());
    PaperAnswer answer = take_answer(record);
    return record == frame_of(folder, asked) ? std::optional(std::move(answer)) : std::nullopt;
  } catch (const support::InputError&) {
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const fs::filesystem_error&) {
    return std::nullopt;
  }
}

}  // namespace cubicbench::results
