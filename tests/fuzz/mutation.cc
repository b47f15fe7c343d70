#include "tests/fuzz/mutation.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/joined.h"
#include "tests/fuzz/json_mutation.h"

namespace cubicbench::fuzz {
namespace {

/// Inputs are kept to a size that is read in milliseconds.
constexpr std::size_t bytes_max = 200'000;

std::vector<std::string> cut(const std::string& text, char at) {
  std::vector<std::string> pieces{""};
  for (const char c : text) {
    if (c == at) {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

std::string put_together(const std::vector<std::string>& pieces, char between) {
  return support::joined(pieces, std::string_view(&between, 1));
}

/// One piece lost, doubled, moved, or replaced by one of another list.
void shuffle_pieces(std::vector<std::string>& pieces, const std::vector<std::string>& others,
                    Dice& dice) {
  const std::size_t at = dice.below(pieces.size());
  switch (dice.below(5)) {
    case 0:
      if (pieces.size() > 1) pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1: {
      const std::string again = pieces[at];
      const std::array<std::size_t, 3> times{1, 2, 50};
      pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), dice.any(times), again);
      break;
    }
    case 2:
      std::swap(pieces[at], dice.any(pieces));
      break;
    case 3:
      pieces[at] = others[dice.below(others.size())];
      break;
    default:
      pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at),
                    others[dice.below(others.size())]);
  }
}

std::string lines_changed(const std::string& text, const std::vector<std::string>& donors,
                          Dice& dice) {
  std::vector<std::string> lines = cut(text, '\n');
  if (dice.once_in(3)) {
    shuffle_pieces(lines, cut(donors[dice.below(donors.size())], '\n'), dice);
  } else {
    std::string& line = dice.any(lines);
    line = json_changed(line, lines, dice);
  }
  return put_together(lines, '\n');
}

std::string cell(Dice& dice) {
  const nlohmann::ordered_json value = odd_value(dice);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string table_changed(const std::string& text, const std::vector<std::string>& donors,
                          Dice& dice) {
  std::vector<std::string> rows = cut(text, '\n');
  const std::vector<std::string> others = cut(donors[dice.below(donors.size())], '\n');
  switch (dice.below(5)) {
    case 0:
      shuffle_pieces(rows, others, dice);
      break;
    case 1:
      return bytes_changed(text, dice);
    default: {
      std::string& row = dice.any(rows);
      std::vector<std::string> cells = cut(row, ',');
      if (dice.once_in(2)) {
        shuffle_pieces(cells, cut(others[dice.below(others.size())], ','), dice);
      } else {
        dice.any(cells) = cell(dice);
      }
      row = put_together(cells, ',');
    }
  }
  return put_together(rows, '\n');
}

std::string words_changed(const std::string& text, const std::vector<std::string>& donors,
                          Dice& dice) {
  if (dice.once_in(4)) return bytes_changed(text, dice);
  const std::array separators{' ', '=', '.', '\n'};
  const char separator = dice.any(separators);
  std::vector<std::string> words = cut(text, separator);
  if (dice.once_in(4)) {
    dice.any(words) = cell(dice);
  } else {
    shuffle_pieces(words, cut(donors[dice.below(donors.size())], separator), dice);
  }
  return put_together(words, separator);
}

}  // namespace

Mutation::Mutation(const Target& target) : target_(target) {
  for (std::size_t i = 0; i < target.seeds; ++i) donors_.push_back(target.seed(i));
}

std::string Mutation::changed(const std::string& part, std::size_t place, Dice& dice) const {
  std::vector<std::string> donors;
  for (const Parts& donor : donors_) donors.push_back(donor[place]);
  switch (target_.forms[place]) {
    case Form::json:
      return json_changed(part, donors, dice);
    case Form::lines:
      return lines_changed(part, donors, dice);
    case Form::table:
      return table_changed(part, donors, dice);
    case Form::words:
      return words_changed(part, donors, dice);
  }
  return part;
}

Parts Mutation::changed(Parts parts, Dice& dice) const {
  for (std::size_t i = 1 + dice.below(4); i > 0; --i) {
    const std::size_t place = dice.below(parts.size());
    std::string part = changed(parts[place], place, dice);
    if (part.size() <= bytes_max) parts[place] = std::move(part);
  }
  return parts;
}

}  // namespace cubicbench::fuzz
