#include "search/finished/charged_launches.h"

#include <cmath>

#include "search/searchers/charge.h"

namespace cubicbench::search {

std::vector<double> charged_after(const StudyResult& study) {
  std::vector<double> after;
  double sum = 0.0;
  for (const StudyLaunch& launch : study.launches) {
    after.push_back(sum += charge_of(launch.fidelity));
  }
  return after;
}

std::vector<ChargedPlace> charged_places(const StudyResult& study) {
  std::vector<ChargedPlace> places;
  const std::vector<double> after = charged_after(study);
  for (std::size_t i = 0; i < after.size(); ++i) {
    // No launch is charged more than one, so places are filled one after the other.
    const auto count = static_cast<std::size_t>(std::ceil(after[i]));
    if (count > places.size()) places.emplace_back();
    if (study.launches[i].fidelity == whole_launch) places.back().whole = i;
    places.back().ended = i + 1;
  }
  return places;
}

}  // namespace cubicbench::search
