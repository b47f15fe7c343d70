#pragma once

#include <optional>
#include <string>

#include "results/regret/group_regret.h"

namespace cubicbench::results {

/// "0.0312", "1.204", "3.1e-05": three or four significant digits; "0" is the optimum.
std::string regret_text(double regret);

/// "0.0312 (0.0101 to 0.0520)": mean and quartiles; of one study the number alone, of none `none`.
std::string regret_text(const std::optional<Spread>& spread, std::size_t studies,
                        const std::string& none);

}  // namespace cubicbench::results
