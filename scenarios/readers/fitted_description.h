#pragma once

#include <span>
#include <string>

#include "scenarios/catalog.h"

namespace cubicbench::scenarios {

/// A constant of a description with a new value and where that is from.
struct FittedNumber {
  std::string name;  ///< as in scenarios/constants/constants.h: "gemm_factor",
                     ///< "attention_efficiency.flash2"
  double value = 0.0;
  std::string interval;  ///< how far it is known: "90 % interval 1.07 to 1.24"
  std::string source;
};

/// `value` rounded to four significant digits.
double four_digits(double value);

/// The `name` that a description gives itself; "" where it gives none. Throws InputError for a text
/// that is no JSON document.
std::string described_name(const Document& document);

/// The text of a stack's or device's file with other values of some constants: all other keys, and
/// the order of all, stay. A constant that the file left out comes last before `sources`. A table
/// of which an entry is fitted has a source an entry from then on, those of the others as they were
/// or as that of the table was. Requires a description that reads without problems.
std::string with_fitted(const Document& document, std::span<const FittedNumber> numbers);

}  // namespace cubicbench::scenarios
