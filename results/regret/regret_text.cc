#include "results/regret/regret_text.h"

#include <cmath>

#include "results/document/number_text.h"

namespace cubicbench::results {

std::string regret_text(double regret) {
  if (regret == 0.0) return "0";
  if (regret < 0.0) return "\xE2\x88\x92" + regret_text(-regret);
  if (regret >= 1.0) return fixed(regret, 3);
  if (regret >= 1e-3) return fixed(regret, 4);
  int exponent = 0;
  while (regret < 1.0) {
    regret *= 10.0;
    ++exponent;
  }
  // 9.96 would be shown as 10.0.
  if (std::floor(regret * 10.0 + 0.5) >= 100.0) {
    regret /= 10.0;
    --exponent;
  }
  return fixed(regret, 1) + "e-" + (exponent < 10 ? "0" : "") + std::to_string(exponent);
}

std::string regret_text(const std::optional<Spread>& spread, std::size_t studies,
                        const std::string& none) {
  if (!spread) return none;
  if (studies == 1) return regret_text(spread->mean);
  return regret_text(spread->mean) + " (" + regret_text(spread->low) + " to " +
         regret_text(spread->high) + ")";
}

}  // namespace cubicbench::results
