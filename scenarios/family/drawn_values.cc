#include "scenarios/family/drawn_values.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "sim/base/philox.h"
#include "support/json/canonical.h"
#include "support/json/object_reader.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using support::ObjectReader;
using support::Problem;

constexpr double number_max = 1e18;

bool is_reference(const Json& value) {
  return value.is_object() && value.size() == 1 && value.contains("$") && value["$"].is_string();
}

/// {"$text": [...]}, with `key` in place of "$text".
bool is_list_of(const char* key, const Json& value) {
  return value.is_object() && value.size() == 1 && value.contains(key) && value[key].is_array();
}

/// What "model.layers" stands for; null, and a problem, where there is no such value.
Json referred(const std::string& name, const Json& values, const std::string& where,
              std::vector<Problem>& problems) {
  const Json* value = &values;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string key = name.substr(begin, end - begin);
    if (!value->is_object() || !value->contains(key)) {
      std::vector<std::string> known;
      if (value->is_object()) {
        for (const auto& [candidate, ignored] : value->items()) known.push_back(candidate);
      }
      problems.push_back({where, "expected a value that is drawn before, got \"" +
                                     support::shortened(name) + "\"" +
                                     support::did_you_mean(key, known)});
      return {};
    }
    value = &(*value)[key];
    begin = end + 1;
  }
  return *value;
}

std::string text_of(const Json& piece) {
  constexpr double billion = 1e9;
  if (piece.is_string()) return piece.get<std::string>();
  if (piece.is_number() && piece.get<double>() >= billion) {
    return support::shortest(std::round(piece.get<double>() / billion * 10.0) / 10.0) + " B";
  }
  return piece.is_number() ? support::canonical(piece) : piece.dump();
}

/// The multiple of `step` that is `count` steps. Steps that divide 1 give decimals as people write
/// them: 35 steps of 0.01 are 0.35.
Json multiple(double count, double step) {
  const double per_unit = std::round(1.0 / step);
  const bool divides = per_unit >= 1.0 && std::abs(step * per_unit - 1.0) < 1e-9;
  const double value = divides ? count / per_unit : count * step;
  if (value == std::floor(value) && std::abs(value) < number_max) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

/// One list of draws on its way to values.
class DrawList {
 public:
  DrawList(const std::string& file, Audience audience, std::uint64_t seed,
           std::vector<Problem>& problems)
      : file_(file), audience_(audience), seed_(seed), problems_(problems) {}

  Json read(const Json& draw) {
    if (!draw.is_array()) {
      problems_.push_back({file_ + "#/draw", "expected an array, got " + support::shown(draw)});
      return values_;
    }
    for (std::size_t i = 0; i < draw.size(); ++i) {
      number_ = static_cast<std::uint32_t>(i);
      ObjectReader in(draw[i], file_, "/draw/" + std::to_string(i), problems_);
      const std::string name = in.string("name");
      if (values_.contains(name)) in.problem("name", "expected a name of its own");
      Json value = drawn(in);
      in.finish();
      values_[name] = std::move(value);
    }
    return values_;
  }

 private:
  Json drawn(ObjectReader& in) {
    if (in.has("one_of")) return one_of(in);
    if (in.has("uniform")) return uniform(in);
    if (in.has("product")) return product(in);
    in.problem("name", "expected one_of, uniform or product beside it");
    return {};
  }

  sim::Draw draw() const {
    return {.seed = seed_, .purpose = sim::Purpose::family_member, .draw = number_};
  }

  Json filled(const Json& pattern, const std::string& pointer) {
    return expanded(pattern, values_, file_, pointer, problems_);
  }

  /// The list that is drawn from.
  const Json& choices(ObjectReader& in, const Json& one_of, Json& kept) {
    if (is_reference(one_of)) {
      kept = referred(one_of["$"].get<std::string>(), values_, in.where("one_of"), problems_);
      return kept;
    }
    const char* const whose = audience_ == Audience::sealed ? "sealed" : "public";
    const bool is_split =
        one_of.is_object() && one_of.contains("public") && one_of.contains("sealed");
    return is_split ? one_of[whose] : one_of;
  }

  Json one_of(ObjectReader& in) {
    Json kept;
    const Json& all = choices(in, *in.raw("one_of"), kept);
    if (!all.is_array() || all.empty()) {
      in.problem("one_of", "expected a list of values, or lists \"public\" and \"sealed\"");
      in.allow("weights");
      return {};
    }
    const std::size_t chosen =
        in.has("weights") ? weighted(in, all.size())
                          : static_cast<std::size_t>(sim::uniform_below(draw(), all.size()));
    return filled(all[chosen], in.pointer() + "/one_of");
  }

  std::size_t weighted(ObjectReader& in, std::size_t count) {
    std::vector<double> weights;
    double sum = 0.0;
    for (const support::ValueReader& value : in.array("weights")) {
      weights.push_back(value.number(0.0, number_max));
      sum += weights.back();
    }
    if (weights.size() != count || !(sum > 0.0)) {
      in.problem("weights", "expected one a value, not all 0");
      return 0;
    }
    double rest = sim::uniform(draw()) * sum;
    for (std::size_t i = 0; i < count; ++i) {
      if (rest < weights[i]) return i;
      rest -= weights[i];
    }
    return count - 1;
  }

  Json uniform(ObjectReader& in) {
    const std::vector<support::ValueReader> limits = in.array("uniform");
    const double step = in.number("step", support::above_zero, number_max);
    if (limits.size() != 2) {
      in.problem("uniform", "expected [min, max]");
      return {};
    }
    const double min = std::ceil(limits[0].number(0.0, number_max) / step - 1e-9);
    const double max = std::floor(limits[1].number(0.0, number_max) / step + 1e-9);
    if (max < min) {
      in.problem("uniform", "expected a multiple of step between the limits");
      return {};
    }
    const auto count = static_cast<std::uint64_t>(max - min) + 1;
    return multiple(min + static_cast<double>(sim::uniform_below(draw(), count)), step);
  }

  /// The numbers of a list, references among them.
  std::vector<double> numbers(ObjectReader& in, std::string_view key) {
    std::vector<double> numbers;
    if (!in.has(key)) return numbers;
    for (const support::ValueReader& value : in.array(key)) {
      numbers.push_back(number(*value.raw(), value.where()));
    }
    return numbers;
  }

  double number(const Json& pattern, const std::string& where) {
    const std::size_t before = problems_.size();
    const Json value = filled(pattern, where.substr(file_.size() + 1));
    if (value.is_number() && value.get<double>() > 0.0) return value.get<double>();
    if (problems_.size() == before) {
      problems_.push_back({where, "expected a number above 0, got " + support::shown(value)});
    }
    return 1.0;
  }

  Json product(ObjectReader& in) {
    double value = 1.0;
    for (const double factor : numbers(in, "product")) value *= factor;
    for (const double divisor : numbers(in, "over")) value /= divisor;
    const Json* const step = in.raw("step");
    if (step == nullptr) {
      in.problem("step", "expected a number, or a value that is drawn before");
      return {};
    }
    const double size = number(*step, in.where("step"));
    return multiple(std::max(1.0, std::round(value / size)), size);
  }

  const std::string& file_;
  Audience audience_;
  std::uint64_t seed_;
  std::vector<Problem>& problems_;
  std::uint32_t number_ = 0;
  Json values_ = Json::object();
};

}  // namespace

Json drawn_values(const Json& draw, const std::string& file, Audience audience, std::uint64_t seed,
                  std::vector<Problem>& problems) {
  return DrawList(file, audience, seed, problems).read(draw);
}

Json expanded(const Json& pattern, const Json& values, const std::string& file,
              const std::string& pointer, std::vector<Problem>& problems) {
  const auto below = [&](const Json& value, const std::string& key) {
    return expanded(value, values, file, pointer + "/" + support::pointer_token(key), problems);
  };
  if (is_reference(pattern)) {
    return referred(pattern["$"].get<std::string>(), values, file + "#" + pointer, problems);
  }
  if (is_list_of("$text", pattern)) {
    std::string text;
    for (const Json& piece : below(pattern["$text"], "$text")) text += text_of(piece);
    return text;
  }
  if (is_list_of("$merge", pattern)) {
    Json all = Json::object();
    for (const Json& piece : below(pattern["$merge"], "$merge")) {
      if (piece.is_object()) all.update(piece);
    }
    return all;
  }
  if (pattern.is_array()) {
    Json list = Json::array();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      Json value = below(pattern[i], std::to_string(i));
      if (!value.is_null()) list.push_back(std::move(value));
    }
    return list;
  }
  if (!pattern.is_object()) return pattern;
  Json object = Json::object();
  for (const auto& [key, value] : pattern.items()) {
    Json filled = below(value, key);
    if (!filled.is_null()) object[key] = std::move(filled);
  }
  return object;
}

}  // namespace cubicbench::scenarios
