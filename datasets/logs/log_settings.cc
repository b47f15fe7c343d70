#include "datasets/logs/log_settings.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "datasets/logs/log_fields.h"
#include "support/characters.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

bool is_of_name(char c) {
  return support::is_letter(c) || support::is_digit(c) || c == '_' || c == '-' || c == '.';
}

bool is_name(std::string_view text) {
  return !text.empty() && !support::is_digit(text.front()) && text.front() != '.' &&
         text.front() != '-' && std::ranges::all_of(text, is_of_name);
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back()) return text;
  const bool quoted = text.front() == '"' || text.front() == '\'';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// What an indented line opens, and how far it is indented.
struct Level {
  std::size_t indent = 0;
  std::string name;
};

std::string dotted(const std::vector<Level>& levels, std::string_view name) {
  std::string all;
  for (const Level& level : levels) all += level.name + ".";
  return all + std::string(name);
}

/// `name: value`, `"name": value,` and `name:`; an empty name where it is neither.
LogField indented_field(std::string_view line) {
  std::string_view text = trimmed(line);
  while (text.ends_with(',')) text.remove_suffix(1);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view rest = text.substr(colon + 1);
  if (!rest.empty() && !rest.starts_with(' ')) return {};
  const std::string_view name = without_quotes(trimmed(text.substr(0, colon)));
  if (!is_name(name)) return {};
  return {.name = name, .value = without_quotes(trimmed(rest))};
}

/// Reads a literal from left to right.
class Literal {
 public:
  Literal(std::string_view text, std::size_t line, LogSettings& settings)
      : text_(text), line_(line), settings_(settings) {}

  /// The members of the bracket at the start, below `prefix`.
  void members(const std::string& prefix, int depth) {
    constexpr int depth_max = 16;
    if (text_.empty() || depth > depth_max) return;
    text_.remove_prefix(1);
    while (!text_.empty() && !at_end()) {
      const std::string name = member_name();
      if (text_.empty()) return;
      member_value(prefix + name, depth);
      skip(", \n");
    }
    if (!text_.empty()) text_.remove_prefix(1);
  }

 private:
  bool at_end() const { return contains("}])", text_.substr(0, 1)); }
  void skip(std::string_view of) {
    text_.remove_prefix(std::min(text_.find_first_not_of(of), text_.size()));
  }

  std::string quoted() {
    const char quote = text_.front();
    const std::size_t end = text_.find(quote, 1);
    std::string inside(text_.substr(1, end == std::string_view::npos ? end : end - 1));
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    return inside;
  }

  bool at_quote() const { return text_.starts_with('\'') || text_.starts_with('"'); }

  /// The name before `:` or `=`; "" for an element of a list.
  std::string member_name() {
    skip(", ");
    const std::string_view before = text_;
    std::string name;
    if (at_quote()) {
      name = quoted();
    } else {
      const std::size_t end = std::min(text_.find_first_of(":=,()[]{}"), text_.size());
      name = trimmed(text_.substr(0, end));
      text_.remove_prefix(end);
    }
    skip(" ");
    if (text_.starts_with(':') || text_.starts_with('=')) {
      text_.remove_prefix(1);
      skip(" ");
      return name;
    }
    text_ = before;
    return "";
  }

  void member_value(const std::string& name, int depth) {
    if (at_quote()) {
      settings_.push_back({name, quoted(), line_});
      return;
    }
    const std::size_t end = std::min(text_.find_first_of(",()[]{}"), text_.size());
    const std::string_view word = trimmed(text_.substr(0, end));
    text_.remove_prefix(end);
    if (text_.starts_with('{') || text_.starts_with('(') || text_.starts_with('[')) {
      members(name + ".", depth + 1);
    } else {
      settings_.push_back({name, std::string(word), line_});
    }
  }

  std::string_view text_;
  std::size_t line_;
  LogSettings& settings_;
};

/// `--name`, `--name=value`, `+name=value,`: with underscores; without a name where it is none.
LogSetting option_of(std::string_view word, std::size_t line) {
  const bool is_option = word.starts_with("--");
  word.remove_prefix(is_option ? 2 : std::min(word.find_first_not_of('+'), word.size()));
  while (word.ends_with(',')) word.remove_suffix(1);
  const std::size_t equals = word.find('=');
  if (!is_option && (equals == std::string_view::npos || equals + 1 == word.size())) return {};
  std::string name(word.substr(0, equals));
  if (!is_name(name)) return {};
  std::ranges::replace(name, '-', '_');
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
  return {std::move(name), std::string(without_quotes(value)), line};
}

bool sounds_like_layout(std::string_view name) {
  constexpr std::array<std::string_view, 8> words{"parallel", "batch_size", "shard", "recompute",
                                                  "remat",    "offload",    "fsdp",  "zero_opt"};
  return std::ranges::any_of(words, [&](std::string_view word) { return contains(name, word); });
}

/// Does the value say that the thing is used at all?
bool is_in_use(std::string_view value) {
  constexpr std::array<std::string_view, 14> off{
      "", "None", "none", "null", "~", "False", "false", "0", "1", "-1", "[]", "{}", "0.0", "1.0"};
  return std::ranges::find(off, value) == off.end();
}

std::string_view last_name(std::string_view name) {
  return name.substr(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
}

}  // namespace

LogSettings dotted_settings(const LogText& log, DottedBy by) {
  LogSettings settings;
  for (const LogLine& line : log.lines) {
    const std::string_view text = line.text;
    if (contains(text, "[config.py:") != (by == DottedBy::deepspeed)) continue;
    const std::size_t dots = text.find(" .");
    if (dots == std::string_view::npos) continue;
    const std::size_t end = text.find_first_not_of('.', dots + 1);
    const bool has_value = end != std::string_view::npos && text[end] == ' ';
    if (!has_value && end != std::string_view::npos) continue;
    const std::string_view before = trimmed(text.substr(0, dots));
    const std::size_t blank = before.find_last_of(" \t]");
    const std::string_view name =
        blank == std::string_view::npos ? before : before.substr(blank + 1);
    if (!is_name(name)) continue;
    std::string_view value = has_value ? trimmed(text.substr(end)) : std::string_view{};
    value = value.substr(0, value.find("...."));
    settings.push_back({std::string(name), std::string(value), line.number});
  }
  return settings;
}

LogSettings indented_settings(const LogText& log) {
  LogSettings settings;
  std::vector<Level> levels;
  for (const LogLine& line : log.lines) {
    const LogField field = indented_field(line.text);
    if (field.name.empty()) {
      const std::string_view text = trimmed(line.text);
      const bool is_of_block = text.empty() || contains("-[]{}", text.substr(0, 1));
      if (!is_of_block) levels.clear();
      continue;
    }
    const std::size_t indent = std::min(line.text.find_first_not_of(" \t"), line.text.size());
    while (!levels.empty() && levels.back().indent >= indent) levels.pop_back();
    if (field.value.empty() || field.value == "{" || field.value == "[") {
      levels.push_back({indent, std::string(field.name)});
    } else {
      settings.push_back({dotted(levels, field.name), std::string(field.value), line.number});
    }
  }
  return settings;
}

LogSettings literal_settings(std::string_view text, std::size_t line) {
  LogSettings settings;
  Literal(text, line, settings).members("", 0);
  return settings;
}

LogSettings option_settings(const LogText& log) {
  LogSettings settings;
  for (const LogLine& line : log.lines) {
    std::string_view rest = trimmed(line.text);
    while (!rest.empty()) {
      const std::string_view word = first_word(rest);
      rest = trimmed(rest.substr(word.size()));
      LogSetting setting = option_of(word, line.number);
      if (setting.name.empty()) continue;
      const std::string_view next = first_word(rest);
      const bool takes_next = word.starts_with("--") && setting.value.empty();
      if (takes_next) setting.value = next.empty() || next.front() == '-' ? "True" : next;
      if (next == "\\" && takes_next) setting.value = "True";
      settings.push_back(std::move(setting));
    }
  }
  return settings;
}

void state_torchrun(const LogSettings& options, LogRecorder& out) {
  const LogSetting* const per_node = find_log_setting(options, "nproc_per_node");
  const LogSetting* const nodes = find_log_setting(options, "nnodes");
  if (per_node == nullptr || out.find("n_gpus") != nullptr) return;
  const auto gpus = support::parsed<std::int64_t>(per_node->value);
  const auto count = support::parsed<std::int64_t>(nodes == nullptr ? "1" : nodes->value);
  constexpr std::int64_t most = 1'000'000;
  if (!gpus || !count || *gpus < 1 || *count < 1 || *gpus > most || *count > most) return;
  out.cell("gpus_per_node", *gpus, "nproc_per_node", per_node->line);
  out.cell("n_gpus", *gpus * *count, "nproc_per_node and nnodes", per_node->line);
}

const LogSetting* find_log_setting(const LogSettings& settings, std::string_view name) {
  const auto is_it = [&](const LogSetting& setting) {
    if (setting.name == name) return true;
    return setting.name.size() > name.size() && setting.name.ends_with(name) &&
           setting.name[setting.name.size() - name.size() - 1] == '.';
  };
  const auto found = std::ranges::find_if(settings, is_it);
  return found == settings.end() ? nullptr : &*found;
}

std::string_view setting_value(const LogSettings& settings, std::string_view name) {
  const LogSetting* const found = find_log_setting(settings, name);
  if (found == nullptr) return {};
  const std::string_view value = found->value;
  return value == "None" || value == "null" || value == "~" ? std::string_view{} : value;
}

bool is_on(std::string_view value) {
  return value == "True" || value == "true" || value == "yes" || value == "1";
}

void state_settings(const LogSettings& settings, std::span<const SettingColumn> columns,
                    LogRecorder& out) {
  std::set<std::string_view> stated;
  for (const SettingColumn& column : columns) {
    if (stated.contains(column.column)) continue;
    const std::string_view value = setting_value(settings, column.name);
    if (value.empty()) continue;
    std::string text(value);
    if (value == "True" || value == "False")
      std::ranges::transform(text, text.begin(), support::lowered);
    const LogSetting& setting = *find_log_setting(settings, column.name);
    out.cell(column.column, std::move(text), setting.name, setting.line);
    stated.insert(column.column);
  }
}

void check_repeated(const LogSettings& settings, std::span<const std::string_view> names,
                    LogRecorder& out) {
  for (const std::string_view name : names) {
    const LogSetting* const first = find_log_setting(settings, name);
    if (first == nullptr) continue;
    for (const LogSetting& other : settings) {
      if (other.name != first->name || other.value == first->value) continue;
      out.problem(other.line, "expected " + first->value + " in " + first->name + ", as line " +
                                  std::to_string(first->line) + " has it, got \"" +
                                  support::shortened(other.value) + "\"");
      break;
    }
  }
}

void name_unknown(const LogSettings& settings, std::span<const SettingColumn> columns,
                  std::span<const std::string_view> known, LogRecorder& out) {
  std::set<std::string> seen;
  for (const LogSetting& setting : settings) {
    const std::string_view name = last_name(setting.name);
    if (!sounds_like_layout(name) || !is_in_use(setting.value)) continue;
    const bool is_known = std::ranges::find(known, name) != known.end() ||
                          std::ranges::any_of(columns, [&](const SettingColumn& column) {
                            return last_name(column.name) == name;
                          });
    if (is_known || !seen.insert(setting.name).second) continue;
    out.not_understood(setting.line, "the setting " + support::shortened(setting.name) + " = " +
                                         support::shortened(setting.value));
  }
}

}  // namespace cubicbench::datasets
