// Reads the source tree and checks what a compiler does not: who may include whom, which headers
// and functions stay out of which room, and the layout of the text. Each rule is a function of a
// path and a text, tried on small bad examples before it meets the tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Problems = std::vector<std::string>;

// A room may include itself and what stands to its left; support, which stands beside sim, only
// sim/base of it.
constexpr std::array<std::string_view, 8> street = {"sim",       "support", "scenarios", "datasets",
                                                    "predictor", "search",  "results",   "cli"};
constexpr std::array<std::string_view, 10> sim_rooms = {
    "base", "hardware", "kernels", "network", "workload",
    "plan", "program",  "memory",  "engine",  "truth"};

// Functions whose last bit depends on the C library or on the machine it runs on.
constexpr std::array<std::string_view, 25> libm_names = {
    "exp",  "exp2", "exp10", "expm1", "log",  "log2",   "log10", "log1p", "pow",
    "sin",  "cos",  "tan",   "asin",  "acos", "atan",   "atan2", "sinh",  "cosh",
    "tanh", "cbrt", "hypot", "erf",   "erfc", "lgamma", "tgamma"};
constexpr std::array<std::string_view, 5> numeric_names = {"exp", "exp2", "log", "log2", "pow"};

constexpr std::array<std::string_view, 10> kept_out_of_sim = {
    "nlohmann/", "CLI/",   "fstream", "filesystem", "iostream",
    "thread",    "future", "mutex",   "execution",  "tbb"};

struct Include {
  std::size_t line = 0;
  std::string path;
  bool quoted = false;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> found;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (!line.starts_with("#include")) continue;
    const std::size_t open = line.find_first_of("\"<");
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of("\">", open + 1);
    if (close == std::string::npos) continue;
    found.push_back({i + 1, line.substr(open + 1, close - open - 1), line[open] == '"'});
  }
  return found;
}

// Part `index` of a path: ("sim/plan/plan.h", 1) is "plan".
std::string_view path_part(std::string_view path, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return {};
    path.remove_prefix(slash + 1);
  }
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::optional<std::size_t> place(std::span<const std::string_view> rooms, std::string_view room) {
  const auto found = std::find(rooms.begin(), rooms.end(), room);
  if (found == rooms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rooms.begin());
}

std::string at(std::string_view path, std::size_t line, std::string_view message) {
  return std::string(path) + ":" + std::to_string(line) + ": " + std::string(message);
}

bool is_header(std::string_view path) { return path.ends_with(".h"); }
bool is_test(std::string_view path) { return path.starts_with("tests/"); }

// The text with comments and the insides of literals blanked; every line stays where it was.
std::string code_only(const std::string& text) {
  std::string code = text;
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    return std::min(end, code.size());
  };
  const auto after = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? text.size() : found + mark.size();
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    const bool in_word = i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0;
    if (rest.starts_with("//")) {
      i = blank(i, text.find('\n', i));
    } else if (rest.starts_with("/*")) {
      i = blank(i, after("*/", i + 2));
    } else if (rest.starts_with("R\"") && !in_word) {
      const std::size_t open = text.find('(', i);
      const std::string close = ")" + text.substr(i + 2, open - i - 2) + "\"";
      i = blank(i, after(close, open));
    } else if (text[i] == '"' || (text[i] == '\'' && !in_word)) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
    } else {
      ++i;
    }
  }
  return code;
}

// ---- the rules --------------------------------------------------------------------------------

Problems check_edges(std::string_view path, const std::string& text) {
  Problems problems;
  const auto from = place(street, path_part(path, 0));
  if (!from) return problems;  // tests may look into every room
  for (const Include& include : includes_of(text)) {
    if (!include.quoted) continue;
    const auto to = place(street, path_part(include.path, 0));
    if (!to) {
      problems.push_back(at(path, include.line,
                            "\"" + include.path + "\" does not start with a folder of the street"));
      continue;
    }
    if (*to > *from) {
      problems.push_back(at(path, include.line,
                            std::string(street[*from]) + " -> " + std::string(street[*to]) +
                                " (\"" + include.path +
                                "\"): a room may include only what stands to its left"));
    }
    if (street[*from] == "support" && street[*to] == "sim" &&
        path_part(include.path, 1) != "base") {
      problems.push_back(at(path, include.line,
                            "support -> sim/" + std::string(path_part(include.path, 1)) + " (\"" +
                                include.path + "\"): of sim it may include sim/base only"));
    }
    if (*from != 0 || *to != 0) continue;
    const auto from_room = place(sim_rooms, path_part(path, 1));
    const auto to_room = place(sim_rooms, path_part(include.path, 1));
    if (!from_room || !to_room) {
      problems.push_back(at(path, include.line, "\"" + include.path + "\": no such room in sim/"));
      continue;
    }
    // A model is described without hardware: it names layers, flops and bytes.
    const bool workload_looks_around =
        sim_rooms[*from_room] == "workload" && *to_room != 0 && *to_room != *from_room;
    if (*to_room > *from_room || workload_looks_around) {
      problems.push_back(at(path, include.line,
                            "sim/" + std::string(sim_rooms[*from_room]) + " -> sim/" +
                                std::string(sim_rooms[*to_room]) + " (\"" + include.path +
                                "\"): a room may include only what stands to its left"));
    }
  }
  return problems;
}

Problems check_forbidden_includes(std::string_view path, const std::string& text) {
  Problems problems;
  for (const Include& include : includes_of(text)) {
    const auto report = [&](std::string_view why) {
      problems.push_back(at(path, include.line, "<" + include.path + ">: " + std::string(why)));
    };
    if (include.quoted) continue;
    if (path.starts_with("sim/")) {
      for (const std::string_view name : kept_out_of_sim) {
        const bool is_folder = name.back() == '/';
        if (is_folder ? include.path.starts_with(name)
                      : include.path == name || include.path.starts_with(std::string(name) + "/")) {
          report("sim/ knows no files, no JSON and no threads");
        }
      }
    }
    const bool from_tbb = include.path.starts_with("tbb/") || include.path.starts_with("oneapi/");
    if (from_tbb && path != "support/parallel.cc") report("only support/parallel.cc includes TBB");
    if (is_header(path) && include.path == "nlohmann/json.hpp") {
      report("headers include nlohmann/json_fwd.hpp");
    }
    if (include.path.starts_with("CLI/") && path != "cli/options/parser.cc") {
      report("only cli/options/parser.cc includes CLI11");
    }
    if (include.path == "random" && !is_test(path)) {
      report("standard distributions differ between vendors; use sim/base/philox.h");
    }
  }
  return problems;
}

bool includes_numeric(const std::string& text) {
  const std::vector<Include> found = includes_of(text);
  return std::any_of(found.begin(), found.end(),
                     [](const Include& i) { return i.path == "sim/base/numeric.h"; });
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// What stands before a name: "std::" in std::exp, "." in x.exp, "" for a bare call.
std::string qualifier_before(const std::string& code, std::size_t name) {
  const std::string_view before = std::string_view(code).substr(0, name);
  if (before.ends_with("->")) return "->";
  if (before.ends_with(".")) return ".";
  if (!before.ends_with("::")) return "";
  std::size_t begin = name - 2;
  while (begin > 0 && is_word(code[begin - 1])) --begin;
  return code.substr(begin, name - begin);
}

// Library functions that are not the same everywhere. In sim/, a bare call after including
// sim/base/numeric.h is ours: the name is found in cubicbench::sim before the global one.
Problems check_libm(std::string_view path, const std::string& text) {
  Problems problems;
  if (is_test(path) || path.starts_with("sim/base/numeric.")) return problems;
  const bool bare_is_ours = path.starts_with("sim/") && includes_numeric(text);
  const std::string code = code_only(text);
  std::size_t line = 1;
  for (std::size_t i = 0; i < code.size();) {
    if (code[i] == '\n') ++line;
    if (!is_word(code[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && is_word(code[end])) ++end;
    const std::string name = code.substr(i, end - i);
    const std::size_t next = code.find_first_not_of(" \n", end);
    const bool is_call = next != std::string::npos && code[next] == '(';
    std::string stem = name;
    if (!place(libm_names, stem) && (stem.ends_with('f') || stem.ends_with('l'))) stem.pop_back();
    const std::string qualifier = qualifier_before(code, i);
    const bool from_library = qualifier == "std::" || qualifier == "::" || qualifier.empty();
    const bool ours = qualifier.empty() && bare_is_ours && place(numeric_names, name);
    if (place(libm_names, stem) && from_library && !ours && (is_call || qualifier == "std::")) {
      problems.push_back(at(path, line,
                            qualifier + name +
                                ": differs between machines; use sim/base/numeric.h (outside "
                                "sim/ as sim::" +
                                stem + ")"));
    }
    i = end;
  }
  return problems;
}

// `own_header_exists`: there is a header of the same name beside the source.
Problems check_own_header_first(std::string_view path, const std::string& text,
                                bool own_header_exists) {
  if (is_header(path) || !own_header_exists) return {};
  const std::string own = std::string(path.substr(0, path.size() - 3)) + ".h";
  const std::vector<Include> found = includes_of(text);
  if (!found.empty() && found.front().path == own) return {};
  return {at(path, found.empty() ? 1 : found.front().line,
             "the first include must be \"" + own + "\"")};
}

Problems check_text(std::string_view path, const std::string& text) {
  Problems problems;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string& word : {std::string("TO") + "DO", std::string("FIX") + "ME"}) {
      if (lines[i].find(word) != std::string::npos) {
        problems.push_back(at(path, i + 1, "unfinished: " + word));
      }
    }
  }
  if (is_header(path) && text.find("#pragma once\n") == std::string::npos) {
    problems.push_back(at(path, 1, "a header needs #pragma once"));
  }
  return problems;
}

// What a command is asked and what it answers fit on two screens; what it computes lies to the
// left, how its words are read in cli/requests.
constexpr std::size_t command_lines_max = 120;

// The commands lie in cli itself, what they share in its folders.
Problems check_thin_commands(std::string_view path, const std::string& text) {
  const std::size_t lines = lines_of(text).size();
  const bool is_command = path_part(path, 0) == "cli" && path_part(path, 1).empty();
  if (!is_command || lines <= command_lines_max) return {};
  return {at(path, command_lines_max + 1,
             "a command of " + std::to_string(lines) + " lines, more than " +
                 std::to_string(command_lines_max))};
}

// Tests that make names of their own in the folder of temporary files meet there, as ctest runs
// them side by side.
Problems check_temporary_folders(std::string_view path, const std::string& text) {
  Problems problems;
  if (!is_test(path) || path == "tests/temporary_folder.h") return problems;
  const std::vector<std::string> lines = lines_of(code_only(text));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view name :
         {"TempDir", "temp_directory_path", "mkdtemp", "mkstemp", "tmpnam", "tmpfile"}) {
      if (lines[i].find(name) == std::string::npos) continue;
      problems.push_back(at(path, i + 1,
                            std::string(name) + ": use TemporaryFolder (tests/temporary_folder.h), "
                                                "which no other test shares"));
    }
  }
  return problems;
}

// clang 14, by which clang-tidy reads the sources, cannot compile the views of libstdc++ 12, nor
// what returns its subranges.
Problems check_views(std::string_view path, const std::string& text) {
  Problems problems;
  if (is_test(path)) return problems;
  const std::vector<std::string> lines = lines_of(code_only(text));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view name :
         {"views::", "ranges::stable_partition", "ranges::partition", "ranges::unique",
          "ranges::remove", "ranges::rotate", "ranges::equal_range", "ranges::search"}) {
      if (lines[i].find(name) == std::string::npos) continue;
      problems.push_back(at(path, i + 1, std::string(name) + " cannot be read by clang 14"));
    }
  }
  return problems;
}

// Statistics of lists of numbers, which support/statistics defines once; with endings such as _of.
constexpr std::array<std::string_view, 33> statistics = {"median",
                                                         "median_high",
                                                         "median_low",
                                                         "quantile",
                                                         "percentile",
                                                         "mean",
                                                         "average",
                                                         "geometric_mean",
                                                         "weighted_mean",
                                                         "mean_and_sd",
                                                         "variance",
                                                         "weighted_variance",
                                                         "deviation",
                                                         "standard_deviation",
                                                         "sd",
                                                         "average_ranks",
                                                         "kendall",
                                                         "kendall_tau",
                                                         "kendall_tau_b",
                                                         "spearman",
                                                         "spearman_rho",
                                                         "pearson",
                                                         "pearson_r",
                                                         "auroc",
                                                         "auprc",
                                                         "area_under_roc",
                                                         "average_precision",
                                                         "brier_score",
                                                         "bootstrap_interval",
                                                         "mann_whitney",
                                                         "wilcoxon_signed_rank",
                                                         "hodges_lehmann",
                                                         "holm_adjusted"};

bool names_statistic(std::string_view name) {
  for (const std::string_view ending : {"_of", "_if_any"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  return place(statistics, name).has_value();
}

// Whether parameters have a list of numbers among them; `auto` could be one.
bool take_numbers(const std::string& parameters) {
  static const std::regex list(
      "(vector|span|array)<\\s*(const\\s+)?(std::)?(double|float|int|u?int\\d+_t|size_t)\\b|"
      "\\bauto\\b|\\bVector[X\\d]|\\bMatrix[X\\d]");
  return std::regex_search(parameters, list);
}

// The end of the brackets that open at `begin`, one past the closing one; nothing if none do.
std::optional<std::size_t> after_brackets(const std::string& code, std::size_t begin) {
  if (begin >= code.size() || (code[begin] != '(' && code[begin] != '[')) return std::nullopt;
  const char open = code[begin];
  const char close = open == '(' ? ')' : ']';
  int depth = 0;
  for (std::size_t i = begin; i < code.size(); ++i) {
    if (code[i] == open) ++depth;
    if (code[i] == close && --depth == 0) return i + 1;
  }
  return std::nullopt;
}

std::size_t next_sign(const std::string& code, std::size_t from) {
  return std::min(code.find_first_not_of(" \n", from), code.size());
}

// The parameters of the function or lambda whose name ends at `end`; nothing of a call.
std::optional<std::string> defined_parameters(const std::string& code, std::size_t end) {
  std::size_t open = next_sign(code, end);
  if (open < code.size() && code[open] == '=') {
    const auto captures = after_brackets(code, next_sign(code, open + 1));
    if (!captures || code[*captures - 1] != ']') return std::nullopt;
    open = next_sign(code, *captures);
  }
  const auto close = after_brackets(code, open);
  if (!close || code[open] != '(') return std::nullopt;
  static const std::regex before_body("\\s*(const\\s*|noexcept\\s*|mutable\\s*|->[^;{}]*)*\\{");
  const std::string rest = code.substr(*close, 200);
  if (!std::regex_search(rest, before_body, std::regex_constants::match_continuous)) {
    return std::nullopt;
  }
  return code.substr(open, *close - open);
}

// A second definition of a statistic, or the usual ways to write one without naming it. sim/ may
// not include support/ and keeps its own.
Problems check_statistics(std::string_view path, const std::string& text) {
  Problems problems;
  if (is_test(path) || path.starts_with("sim/") || path.starts_with("support/statistics/")) {
    return problems;
  }
  const std::string code = code_only(text);
  std::size_t line = 1;
  for (std::size_t i = 0; i < code.size();) {
    if (code[i] == '\n') ++line;
    if (!is_word(code[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < code.size() && is_word(code[end])) ++end;
    const std::string name = code.substr(i, end - i);
    i = end;
    const auto report = [&](std::string_view what) {
      problems.push_back(
          at(path, line, name + ": " + std::string(what) + "; use the one in support/statistics/"));
    };
    if (names_statistic(name)) {
      const auto parameters = defined_parameters(code, end);
      if (parameters && take_numbers(*parameters)) report("a second definition of a statistic");
    } else if (name == "nth_element") {
      report("selects a quantile");
    } else if (name == "accumulate") {
      const auto close = after_brackets(code, next_sign(code, end));
      if (close && code[next_sign(code, *close)] == '/') report("computes a mean");
    } else if (name == "sort" || name == "stable_sort") {
      constexpr std::size_t soon = 240;  // three lines or four
      if (code.substr(end, soon).find("size() / 2") != std::string::npos) report("finds a median");
    }
  }
  return problems;
}

// ---- the tree ---------------------------------------------------------------------------------

namespace fs = std::filesystem;

const fs::path& root() {
  static const fs::path path = CUBICBENCH_SOURCE_DIR;
  return path;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Types that other files can see, "namespace::name" by line. Two of one name in one namespace break
// the one-definition rule unseen: the linker keeps one of the functions that both need.
struct SeenType {
  std::string name;
  std::size_t line = 0;
};

std::vector<SeenType> types_of(const std::string& text) {
  std::vector<SeenType> found;
  std::string space;
  bool hidden = false;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::istringstream words(lines[i]);
    std::string first;
    std::string second;
    words >> first >> second;
    if (lines[i].starts_with("namespace") && lines[i].find('=') == std::string::npos) {
      hidden = second == "{";
      if (!hidden) space = second;
    }
    if (lines[i].starts_with("}  // namespace") && hidden) hidden = false;
    const bool type = lines[i].starts_with("struct ") || lines[i].starts_with("class ");
    const bool declared_only = lines[i].find(';') != std::string::npos;
    if (!type || hidden || declared_only) continue;
    found.push_back({space + "::" + second.substr(0, second.find('{')), i + 1});
  }
  return found;
}

Problems check_unique_types(const std::vector<std::pair<std::string, std::string>>& files) {
  Problems problems;
  std::map<std::string, std::string> places;
  for (const auto& [path, text] : files) {
    for (const SeenType& type : types_of(text)) {
      const std::string place = path + ":" + std::to_string(type.line);
      const auto [first, is_new] = places.emplace(type.name, place);
      if (!is_new) {
        problems.push_back(place + ": " + type.name + " is another type at " + first->second);
      }
    }
  }
  return problems;
}

// Folders that a folder includes, each with the first place that does.
using FolderEdges = std::map<std::string, std::map<std::string, std::string>>;

std::string folder_of(std::string_view path) { return fs::path(path).parent_path().string(); }

// Between folders of one room, whose own folder is one of them.
FolderEdges edges_within_rooms(const std::vector<std::pair<std::string, std::string>>& files) {
  FolderEdges edges;
  for (const auto& [path, text] : files) {
    if (!place(street, path_part(path, 0))) continue;
    for (const Include& include : includes_of(text)) {
      const bool leaves_room = path_part(path, 0) != path_part(include.path, 0);
      if (!include.quoted || leaves_room || folder_of(path) == folder_of(include.path)) continue;
      edges[folder_of(path)].emplace(folder_of(include.path),
                                     at(path, include.line, "\"" + include.path + "\""));
    }
  }
  return edges;
}

// The folders on a shortest way from one to another, both ends included; none where none leads
// there.
std::vector<std::string> way(const FolderEdges& edges, const std::string& from,
                             const std::string& to) {
  std::vector<std::vector<std::string>> ways = {{from}};
  std::set<std::string> seen = {from};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const std::string last = ways[i].back();
    if (last == to) return ways[i];
    const auto next = edges.find(last);
    if (next == edges.end()) continue;
    for (const auto& [folder, where] : next->second) {
      if (!seen.insert(folder).second) continue;
      ways.push_back(ways[i]);
      ways.back().push_back(folder);
    }
  }
  return {};
}

// Includes between the folders of a room have one direction.
Problems check_circles(const std::vector<std::pair<std::string, std::string>>& files) {
  const FolderEdges edges = edges_within_rooms(files);
  Problems problems;
  for (const auto& [from, included] : edges) {
    for (const auto& [to, where] : included) {
      std::string circle = from;
      const std::vector<std::string> back = way(edges, to, from);
      for (const std::string& folder : back) circle += " -> " + folder;
      if (!back.empty()) problems.push_back(where + " closes a circle of folders: " + circle);
    }
  }
  return problems;
}

// More than anybody keeps apart at a glance; a folder that is full wants to be divided.
constexpr std::size_t ideas_max = 40;

// An idea is a header, a source, or both of one name.
Problems check_crowds(const std::vector<std::string>& paths) {
  std::map<std::string, std::set<std::string>> ideas;
  for (const std::string& path : paths) {
    const std::filesystem::path file(path);
    ideas[file.parent_path().generic_string()].insert(file.stem().string());
  }
  Problems problems;
  for (const auto& [folder, names] : ideas) {
    if (names.size() <= ideas_max) continue;
    problems.push_back(folder + ": " + std::to_string(names.size()) +
                       " ideas in one folder, more than " + std::to_string(ideas_max));
  }
  return problems;
}

// Paths from the root of every .h and .cc in the street, in python/ and in tests/, sorted.
std::vector<std::string> sources() {
  std::set<std::string> found;
  std::vector<std::string_view> folders(street.begin(), street.end());
  folders.insert(folders.end(), {"python", "tests"});
  for (const std::string_view folder : folders) {
    if (!fs::is_directory(root() / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
      const fs::path extension = entry.path().extension();
      if (extension == ".h" || extension == ".cc") {
        found.insert(fs::relative(entry.path(), root()).generic_string());
      }
    }
  }
  return {found.begin(), found.end()};
}

void expect_none(const Problems& problems) {
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
}

template <typename Rule>
void expect_clean_tree(Rule rule) {
  const std::vector<std::string> paths = sources();
  ASSERT_FALSE(paths.empty()) << "nothing found below " << root();
  for (const std::string& path : paths) expect_none(rule(path, read(root() / path)));
}

TEST(TidyTree, IncludesOnlyWhatStandsToTheLeft) { expect_clean_tree(check_edges); }
TEST(TidyTree, KeepsHeadersInTheirRooms) { expect_clean_tree(check_forbidden_includes); }
TEST(TidyTree, CallsNoFunctionThatDiffersBetweenMachines) { expect_clean_tree(check_libm); }
TEST(TidyTree, HoldsNothingUnfinished) { expect_clean_tree(check_text); }
TEST(TidyTree, HasThinCommands) { expect_clean_tree(check_thin_commands); }
TEST(TidyTree, SharesNoTemporaryFolders) { expect_clean_tree(check_temporary_folders); }
TEST(TidyTree, ComputesStatisticsInOneRoom) { expect_clean_tree(check_statistics); }
TEST(TidyTree, UsesNoViews) { expect_clean_tree(check_views); }
TEST(TidyTree, IncludesOwnHeaderFirst) {
  expect_clean_tree([](const std::string& path, const std::string& text) {
    const bool exists = fs::exists((root() / path).replace_extension(".h"));
    return check_own_header_first(path, text, exists);
  });
}

// Path and text of every source outside tests/.
std::vector<std::pair<std::string, std::string>> street_files() {
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& path : sources()) {
    if (!is_test(path)) files.emplace_back(path, read(root() / path));
  }
  return files;
}

TEST(TidyTree, NamesATypeOnce) { expect_none(check_unique_types(street_files())); }

TEST(TidyTree, IncludesOfFoldersHaveOneDirection) { expect_none(check_circles(street_files())); }

TEST(TidyTree, CrowdsNoFolder) { expect_none(check_crowds(sources())); }

TEST(TidyTree, IsFormatted) {
  if (std::system("clang-format --version >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "clang-format is not installed";
  }
  // Many files a process, since starting one takes longer than reading a file; a hundred are far
  // from the 128 KiB that a shell takes as a command.
  constexpr std::size_t files_at_once = 100;
  const std::vector<std::string> paths = sources();
  for (std::size_t begin = 0; begin < paths.size(); begin += files_at_once) {
    std::string command = "clang-format --dry-run -Werror --style=file";
    for (std::size_t i = begin; i < std::min(paths.size(), begin + files_at_once); ++i) {
      command += " '" + (root() / paths[i]).string() + "'";
    }
    EXPECT_EQ(std::system(command.c_str()), 0) << "run clang-format -i on the files named above";
  }
}

// ---- each rule bites --------------------------------------------------------------------------

TEST(TidyRules, NameTheEdgeThatPointsRight) {
  struct Case {
    const char* path;
    const char* include;
    const char* edge;  // "" when allowed
  };
  for (const Case& c : {
           Case{"sim/base/check.h", "support/files.h", "sim -> support"},
           Case{"sim/base/check.h", "scenarios/embedded.h", "sim -> scenarios"},
           Case{"support/files.cc", "cli/options/options.h", "support -> cli"},
           Case{"support/parallel.cc", "sim/base/check.h", ""},
           Case{"support/parallel.cc", "sim/plan/plan.h", "support -> sim/plan"},
           Case{"predictor/learners/model.cc", "search/study/study.h", "predictor -> search"},
           Case{"results/regret/regret.cc", "search/journal/journal.h", ""},
           Case{"cli/list.cc", "sim/base/units.h", ""},
           Case{"cli/list.cc", "list.h", "does not start with a folder"},
           Case{"sim/plan/plan.h", "sim/hardware/dtype.h", ""},
           Case{"sim/plan/plan.h", "sim/workload/transformer.h", ""},
           Case{"sim/base/units.h", "sim/hardware/dtype.h", "sim/base -> sim/hardware"},
           Case{"sim/program/step_program.h", "sim/engine/step_report.h",
                "sim/program -> sim/engine"},
           Case{"sim/workload/transformer.h", "sim/base/units.h", ""},
           Case{"sim/workload/transformer.h", "sim/workload/layer.h", ""},
           Case{"sim/workload/transformer.h", "sim/hardware/dtype.h",
                "sim/workload -> sim/hardware"},
           Case{"sim/plan/plan.h", "sim/attic/old.h", "no such room"},
           Case{"tests/sim/base/units_test.cc", "cli/options/options.h", ""},
       }) {
    SCOPED_TRACE(std::string(c.path) + " includes " + c.include);
    const Problems problems =
        check_edges(c.path, "#pragma once\n#include \"" + std::string(c.include) + "\"\n");
    if (std::string_view(c.edge).empty()) {
      expect_none(problems);
      continue;
    }
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems.front().find(c.edge), std::string::npos) << problems.front();
    EXPECT_EQ(problems.front().rfind(std::string(c.path) + ":2: ", 0), 0U) << problems.front();
  }
}

TEST(TidyRules, KeepHeadersInTheirRooms) {
  struct Case {
    const char* path;
    const char* include;
    bool allowed;
  };
  for (const Case& c : {
           Case{"sim/base/check.cc", "nlohmann/json.hpp", false},
           Case{"sim/base/check.cc", "fstream", false},
           Case{"sim/base/check.cc", "filesystem", false},
           Case{"sim/base/check.cc", "iostream", false},
           Case{"sim/base/check.cc", "thread", false},
           Case{"sim/base/check.cc", "cstdio", true},
           Case{"support/files.cc", "fstream", true},
           Case{"support/files.cc", "nlohmann/json.hpp", true},
           Case{"support/files.h", "nlohmann/json.hpp", false},
           Case{"support/files.h", "nlohmann/json_fwd.hpp", true},
           Case{"cli/options/parser.h", "CLI/CLI.hpp", false},
           Case{"cli/options/parser.cc", "CLI/CLI.hpp", true},
           Case{"cli/simulate.cc", "CLI/App.hpp", false},
           Case{"tests/cli/help_test.cc", "CLI/CLI.hpp", false},
           Case{"search/study/study.cc", "tbb/parallel_for.h", false},
           Case{"search/study/study.cc", "oneapi/tbb.h", false},
           Case{"support/parallel.cc", "tbb/parallel_for.h", true},
           Case{"search/random.cc", "random", false},
           Case{"tests/search/random_test.cc", "random", true},
       }) {
    SCOPED_TRACE(std::string(c.path) + " includes " + c.include);
    const Problems problems =
        check_forbidden_includes(c.path, "#include <" + std::string(c.include) + ">\n");
    EXPECT_EQ(problems.empty(), c.allowed);
  }
}

TEST(TidyRules, FindFunctionsThatDifferBetweenMachines) {
  struct Case {
    const char* path;
    const char* text;
    bool allowed;
  };
  const char* const path = "scenarios/space.cc";
  for (const Case& c : {
           Case{path, "double y = std::exp(x);", false},
           Case{path, "double y = ::log2(x);", false},
           Case{path, "double y = pow (x, 2);", false},
           Case{path, "float y = powf(x, 2);", false},
           Case{path, "double y = std::sin(x);", false},
           Case{path, "apply(std::log);", false},
           Case{path, "double y = sim::exp2(x);", true},
           Case{path, "double y = std::sqrt(std::ldexp(x, 3));", true},
           Case{path, "logger.log(x); p->exp(x); int exp = 3;", true},
           Case{path, "// T = exp(x)\n/* pow(x, y) */\nauto s = \"log(x)\";", true},
           Case{path, "auto s = R\"x(log(x) \" )x\"; int n = 1'000;", true},
           Case{path, "auto n = 1'000; auto y = std::exp(x);", false},
           Case{path, "#include \"sim/base/numeric.h\"\ndouble y = exp2(x);", false},
           Case{"sim/kernels/gemm.cc", "double y = exp2(x);", false},
           Case{"sim/kernels/gemm.cc", "#include \"sim/base/numeric.h\"\ndouble y = exp2(x);",
                true},
           Case{"sim/kernels/gemm.cc", "#include \"sim/base/numeric.h\"\ndouble y = sin(x);",
                false},
           Case{"sim/kernels/gemm.cc", "#include \"sim/base/numeric.h\"\nauto y = std::exp2(x);",
                false},
           Case{"sim/base/numeric.cc", "double y = std::exp2(x);", true},
           Case{"tests/sim/base/numeric_test.cc", "double y = std::exp2(x);", true},
       }) {
    SCOPED_TRACE(std::string(c.path) + ": " + c.text);
    EXPECT_EQ(check_libm(c.path, c.text).empty(), c.allowed);
  }
  EXPECT_EQ(
      check_libm("cli/a.cc", "int a;\nint b;\ndouble y = std::exp(x);\n").front().substr(0, 11),
      "cli/a.cc:3:");
}

TEST(TidyRules, WantOwnHeaderFirst) {
  const std::string good = "#include \"sim/plan/plan.h\"\n\n#include <array>\n";
  const std::string bad = "#include <array>\n#include \"sim/plan/plan.h\"\n";
  EXPECT_TRUE(check_own_header_first("sim/plan/plan.cc", good, true).empty());
  EXPECT_TRUE(check_own_header_first("cli/main.cc", bad, false).empty());
  EXPECT_TRUE(check_own_header_first("sim/plan/plan.h", bad, true).empty());
  EXPECT_EQ(check_own_header_first("sim/plan/plan.cc", bad, true),
            Problems{"sim/plan/plan.cc:1: the first include must be \"sim/plan/plan.h\""});
  EXPECT_EQ(check_own_header_first("sim/plan/plan.cc", "int x;\n", true).size(), 1U);
}

TEST(TidyRules, FindTypesOfOneName) {
  const std::string engine = "namespace a::b {\nstruct Machine {\n};\nstruct Other;\n}\n";
  const std::string hidden =
      "namespace a::b {\nnamespace {\nclass Machine {\n};\n}  // namespace\nstruct C : D {\n}\n";
  const std::string elsewhere = "namespace a {\nstruct Machine {\n};\n}\n";
  EXPECT_TRUE(check_unique_types({{"1.h", engine}, {"2.cc", hidden}, {"3.h", elsewhere}}).empty());
  const Problems twice = check_unique_types({{"1.h", engine}, {"2.h", engine}});
  ASSERT_EQ(twice.size(), 1U);
  EXPECT_EQ(twice[0], "2.h:2: a::b::Machine is another type at 1.h:2");
}

TEST(TidyRules, WantOneDirectionBetweenFolders) {
  const auto including = [](const std::string& path) { return "#include \"" + path + "\"\n"; };
  const std::string names = "#include <array>\n" + including("search/names.h");
  EXPECT_TRUE(check_circles({{"search/a/one.h", including("search/b/two.h")},
                             {"search/a/two.h", including("search/a/one.h")},
                             {"search/b/two.cc", names},
                             {"search/names.h", including("scenarios/a/one.h")},
                             {"scenarios/a/one.h", including("search/a/one.h")},
                             {"tests/search/a.cc", including("tests/search/b/c.h")},
                             {"tests/search/b/c.h", including("tests/search/a.h")}})
                  .empty());
  EXPECT_EQ(check_circles({{"search/study.cc", "\n" + including("search/a/one.h")},
                           {"search/a/one.h", names}}),
            (Problems{"search/study.cc:2: \"search/a/one.h\" closes a circle of folders: search -> "
                      "search/a -> search",
                      "search/a/one.h:2: \"search/names.h\" closes a circle of folders: search/a "
                      "-> search -> search/a"}));
  const Problems three = check_circles({{"sim/a/a.h", including("sim/b/b.h")},
                                        {"sim/b/b.h", including("sim/c/c.h")},
                                        {"sim/c/c.cc", including("sim/a/x.h")},
                                        {"sim/c/d.cc", including("sim/d/d.h")}});
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[0],
            "sim/a/a.h:1: \"sim/b/b.h\" closes a circle of folders: sim/a -> sim/b -> sim/c -> "
            "sim/a");
}

TEST(TidyRules, WantFoldersWithFewIdeas) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < ideas_max; ++i) {
    const std::string name = std::to_string(i);
    for (const char* const end : {".h", ".cc"}) paths.push_back("search/a" + name + end);
    paths.push_back("search/searchers/b" + name + ".cc");
  }
  EXPECT_TRUE(check_crowds(paths).empty());
  paths.emplace_back("search/one_more.h");
  EXPECT_EQ(check_crowds(paths), Problems{"search: 41 ideas in one folder, more than 40"});
}

TEST(TidyRules, WantThinCommands) {
  std::string text;
  for (std::size_t i = 0; i < command_lines_max; ++i) text += "int a;\n";
  EXPECT_TRUE(check_thin_commands("cli/simulate.cc", text).empty());
  text += "int b;\n";
  EXPECT_EQ(check_thin_commands("cli/simulate.cc", text),
            Problems{"cli/simulate.cc:121: a command of 121 lines, more than 120"});
  for (const char* const path :
       {"cli/options/parser.cc", "tests/cli/help_test.cc", "search/folder/merge.cc"}) {
    EXPECT_TRUE(check_thin_commands(path, text).empty()) << path;
  }
}

TEST(TidyRules, WantLoopsInPlaceOfViews) {
  const char* const text = "int a;\nfor (auto x : all | std::views::take(3)) {}\n";
  EXPECT_EQ(check_views("results/a.cc", text),
            Problems{"results/a.cc:2: views:: cannot be read by clang 14"});
  EXPECT_TRUE(check_views("tests/results/a_test.cc", text).empty());
  EXPECT_TRUE(check_views("results/a.cc", "// std::views::take\n").empty());
}

TEST(TidyRules, WantTemporaryFoldersOfOneKind) {
  const char* const path = "tests/cli/salt_test.cc";
  for (const char* const text :
       {"auto a = testing::TempDir() + \"x\";", "auto b = fs::temp_directory_path() / \"x\";",
        "::mkdtemp(name.data());"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(check_temporary_folders(path, text).size(), 1U);
    EXPECT_TRUE(check_temporary_folders("tests/temporary_folder.h", text).empty());
    EXPECT_TRUE(check_temporary_folders("datasets/exhaustive/run_pile.cc", text).empty());
  }
  EXPECT_TRUE(check_temporary_folders(path, "// not TempDir()\nauto s = \"mkdtemp\";").empty());
  EXPECT_EQ(check_temporary_folders(path, "int a;\nauto p = TempDir();\n"),
            Problems{"tests/cli/salt_test.cc:2: TempDir: use TemporaryFolder "
                     "(tests/temporary_folder.h), which no other test shares"});
}

TEST(TidyRules, WantStatisticsInOneRoom) {
  struct Case {
    const char* path;
    const char* text;
    bool allowed;
  };
  const char* const path = "results/regret/regret.cc";
  for (const Case& c : {
           Case{path, "double median(std::vector<double> values) {\n", false},
           Case{path, "double mean_of(std::span<const double> values) {\n", false},
           Case{path, "std::optional<double> median_of(const std::vector<float>& x)\n{", false},
           Case{path, "double Runs::quantile(const std::vector<double>& x, double q) const {",
                false},
           Case{path, "auto kendall_tau(std::span<const double> a) -> double {", false},
           Case{path, "double spearman_rho(std::array<std::int64_t, 3> a) {", false},
           Case{path, "const auto median = [](std::vector<std::int64_t> counts) {", false},
           Case{path, "const auto variance = [&](const auto& values) { return 0; };", false},
           Case{path, "std::ranges::nth_element(values, middle);", false},
           Case{path, "auto m = std::accumulate(x.begin(), x.end(), 0.0) / n;", false},
           Case{path, "std::sort(x.begin(), x.end());\nconst auto half = x.size() / 2;", false},
           Case{"predictor/encoding/encoding.h", "double median(std::vector<double> x) {", false},
           Case{"support/files.cc", "double median(std::vector<double> x) {", false},
           Case{"support/statistics/quantile.cc", "double median(std::vector<double> x) {", true},
           Case{"sim/truth/noise.cc", "double median(std::vector<double> x) {", true},
           Case{"tests/results/regret_test.cc", "double mean(std::vector<double> x) {", true},
           Case{path, "double median(std::vector<double> values);", true},  // of one elsewhere
           Case{path, "if (median(values) > 0.0) {", true},
           Case{path, "for (const double rank : average_ranks(values)) {", true},
           Case{path, "double median() const { return quantiles[2]; }", true},
           Case{path, "double quantile(const Enumeration& of, double share) {", true},
           Case{path, "double median_of_medians(std::span<const double> x) {", true},
           Case{path, "const double mean = support::mean(values);\n{", true},
           Case{path, "// double median(std::vector<double> values) {", true},
           Case{path, "auto all = std::accumulate(x.begin(), x.end(), 0.0);", true},
           Case{path, "std::ranges::sort(values);", true},
       }) {
    SCOPED_TRACE(std::string(c.path) + ": " + c.text);
    EXPECT_EQ(check_statistics(c.path, c.text).size(), c.allowed ? 0U : 1U);
  }
  EXPECT_EQ(check_statistics("cli/a.cc", "int a;\nint b;\ndouble mean(std::vector<double> x) {"),
            Problems{"cli/a.cc:3: mean: a second definition of a statistic; use the one in "
                     "support/statistics/"});
}

TEST(TidyRules, WantFinishedText) {
  EXPECT_TRUE(check_text("sim/a.cc", "int x;\n").empty());
  EXPECT_EQ(check_text("sim/a.cc",
                       "int x;  // TO"
                       "DO later\n")
                .size(),
            1U);
  EXPECT_EQ(check_text("sim/a.cc",
                       "// FIX"
                       "ME\n")
                .size(),
            1U);
  EXPECT_EQ(check_text("sim/a.h", "int x;\n").size(), 1U);
  EXPECT_TRUE(check_text("sim/a.h", "#pragma once\nint x;\n").empty());
}

}  // namespace
