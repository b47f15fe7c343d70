#include "scenarios/readers/override.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "scenarios/space/setting_words.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 6> sections{"workload", "cluster", "objective",
                                                   "job",      "truth",   "budget"};
constexpr std::array<std::string_view, 9> text_fields{"device", "network",   "placement",
                                                      "kind",   "metric",    "hugging_face",
                                                      "noise",  "direction", "failures"};

template <class Range>
bool among(const Range& range, std::string_view text) {
  return std::find(range.begin(), range.end(), text) != range.end();
}

WorkloadKind stated_kind(const Json& document) {
  const auto workload = document.find("workload");
  const bool recommendation = workload != document.end() && workload->is_object() &&
                              workload->value("kind", Json()) == "recommendation";
  return recommendation ? WorkloadKind::recommendation : WorkloadKind::mixture_of_experts;
}

/// Does the space have this parameter, as far as can be seen before it is read?
bool has_parameter(const Json& document, std::string_view name) {
  const Json::json_pointer list("/space/parameters");
  if (!document.is_object() || !document.contains(list) || !document[list].is_array()) return false;
  return std::ranges::any_of(document[list], [&](const Json& parameter) {
    return parameter.is_object() && parameter.value("name", Json()) == name;
  });
}

/// The value as the scenario would have written it: fields that hold names keep any text.
Json value_of(std::string_view field, const std::string& text) {
  if (!among(text_fields, field)) {
    Json parsed = Json::parse(text, nullptr, false);
    if (parsed.is_number() || parsed.is_boolean()) return parsed;
  }
  return text;
}

std::string refused_value(const Setting& setting, const std::string& value) {
  const std::string known = meant_value(setting, value);
  return "expected " + expected(setting) + ", got " + Json(support::shortened(value)).dump() +
         (known.empty() ? support::as_integer(value) : "; did you mean \"" + known + "\"?");
}

class OverrideReader {
 public:
  OverrideReader(Json& document, std::vector<support::Problem>& problems)
      : document_(document), problems_(problems) {}

  void read(const std::string& option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
      report(option, "expected NAME=VALUE");
      return;
    }
    const std::string name = option.substr(0, equals);
    const std::string value = option.substr(equals + 1);
    if (!seen_.insert(name).second) {
      report(option, "\"" + support::shortened(name) + "\" is set twice");
    } else if (name.find('.') != std::string::npos) {
      set_field(option, name, value);
    } else {
      set_setting(option, name, value);
    }
  }

  Overrides take() { return std::move(overrides_); }

 private:
  void report(const std::string& option, std::string text) {
    problems_.push_back({"--set " + support::shortened(option), std::move(text)});
  }

  /// A guess for the document's kind of workload, as far as it can be seen before it is read.
  std::string suggestion(const std::string& name, const std::string& value) const {
    const WorkloadKind kind = stated_kind(document_);
    std::string meant(meant_by(name, kind));
    if (meant.empty()) meant = support::nearest(name, setting_names(kind));
    if (meant.empty()) return "; cubicbench list settings has all";
    if (meant == "cluster.gpus" && has_parameter(document_, "gpus")) meant = "gpus";
    const Setting* const setting = find_setting(meant);
    if (setting == nullptr || parse_setting(*setting, value)) return did_you_mean(meant, value);
    const std::string known = meant_value(*setting, value);
    return known.empty() ? did_you_mean(meant, "VALUE") + " Expected " + expected(*setting)
                         : did_you_mean(meant, known);
  }

  static std::string did_you_mean(const std::string& name, const std::string& value) {
    return "; did you mean --set " + name + "=" + support::shortened(value) + "?";
  }

  void set_setting(const std::string& option, const std::string& name, const std::string& value) {
    // Where the scenario does not let the GPU count vary, the field of the cluster is meant.
    const bool known = name != "gpus" || has_parameter(document_, name);
    const Setting* const setting = known ? find_setting(name) : nullptr;
    if (setting == nullptr && (name == "stack" || among(sections, name))) {
      report(option, "expected a setting or one field, as in cluster.gpus; \"" + name +
                         "\" is given by the scenario's file");
    } else if (setting == nullptr) {
      report(option, "unknown setting" + suggestion(name, value));
    } else if (const auto read = read_setting(*setting, option, problems_)) {
      overrides_.settings.push_back(*read);
      overrides_.setting_options.push_back("--set " + support::shortened(option));
    }
  }

  void set_field(const std::string& option, const std::string& name, const std::string& value) {
    const std::size_t last = name.rfind('.');
    const std::string field = name.substr(last + 1);
    const std::string section = name.substr(0, name.find('.'));
    if (!among(sections, section)) {
      report(option, "unknown part of a scenario" + support::did_you_mean(section, sections));
      return;
    }
    if (name.find("..") != std::string::npos || field.empty() ||
        name.find_first_of("/~") != std::string::npos) {
      report(option, "expected one field of \"" + section + "\"");
      return;
    }
    if (!document_.is_object()) {
      return;  // the reader says so
    }
    std::string pointer;
    if (Json* const part = part_at(option, name.substr(0, last), pointer)) {
      const std::string meant(meant_by(field, stated_kind(document_)));
      if (!part->contains(field) && meant != name && meant.starts_with(section + ".")) {
        report(option, "unknown field" + did_you_mean(meant, value));
        return;
      }
      (*part)[field] = value_of(field, value);
      overrides_.fields[pointer + "/" + field] = "--set " + support::shortened(option);
    }
  }

  /// The object that the dotted `path` leads to, made where nothing is, and its pointer. Null, and
  /// a problem, where the path leads into a list or a plain value.
  Json* part_at(const std::string& option, const std::string& path, std::string& pointer) {
    Json* part = &document_;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      const std::string key = path.substr(begin, end - begin);
      pointer += "/" + key;
      part = &(*part)[key];
      if (part->is_null()) {
        *part = Json::object();
        overrides_.fields[pointer] =
            "--set " + support::shortened(option);  // if unknown, due to it
      }
      if (!part->is_object()) {
        if (begin == 0) return nullptr;  // the reader says so
        report(option, "\"" + path.substr(0, end) + "\" is no object whose fields can be set");
        return nullptr;
      }
      begin = end + 1;
    }
    return part;
  }

  Json& document_;
  std::vector<support::Problem>& problems_;
  std::set<std::string> seen_;
  Overrides overrides_;
};

}  // namespace

Overrides apply_overrides(std::span<const std::string> sets, nlohmann::ordered_json& document,
                          std::vector<support::Problem>& problems) {
  OverrideReader reader(document, problems);
  for (const std::string& option : sets) reader.read(option);
  return reader.take();
}

std::optional<Assignment> read_setting(const Setting& setting, const std::string& option,
                                       std::vector<support::Problem>& problems) {
  const std::string value = option.substr(option.find('=') + 1);
  if (const auto code = parse_setting(setting, value)) return Assignment{&setting, *code};
  problems.push_back({"--set " + support::shortened(option), refused_value(setting, value)});
  return std::nullopt;
}

Json value_written(const std::string& option) {
  const std::size_t equals = option.find('=');
  const std::string name = option.substr(0, equals);
  const std::string value = option.substr(equals + 1);
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos) return value_of(std::string_view(name).substr(dot + 1), value);
  const Setting& setting = *find_setting(name);
  return json_of(setting, *parse_setting(setting, value));
}

void check_kind(const Overrides& overrides, WorkloadKind kind,
                std::vector<support::Problem>& problems) {
  for (std::size_t i = 0; i < overrides.settings.size(); ++i) {
    const Setting& setting = *overrides.settings[i].setting;
    if (!belongs(setting, kind)) {
      const std::string_view meant = meant_by(setting.name, kind);
      problems.push_back(
          {overrides.setting_options[i],
           misplaced(setting, kind) +
               (meant.empty() ? "" : "; did you mean \"" + std::string(meant) + "\"?")});
    }
  }
}

void name_options(const Overrides& overrides, const std::string& file,
                  std::vector<support::Problem>& problems) {
  for (support::Problem& problem : problems) {
    if (!problem.where.starts_with(file + "#")) continue;
    const auto field = overrides.fields.find(problem.where.substr(file.size() + 1));
    if (field != overrides.fields.end()) problem.where = field->second;
  }
}

}  // namespace cubicbench::scenarios
