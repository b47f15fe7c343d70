#include "results/landscape/landscape_text.h"

#include "results/landscape/landscape_tables.h"
#include "results/layout/columns.h"
#include "results/layout/paragraph.h"

namespace cubicbench::results {

std::string landscape_text(const ScenarioLandscape& of) {
  std::string text = paragraph("", 0, landscape_headline(of)) + "\n";
  text += columns_text(status_table(of)) + "\n";
  if (of.landscape.best_known) text += columns_text(value_table(of));
  text += paragraph("", 0, baseline_sentence(of)) + "\n";
  if (largest_main(of.landscape) != nullptr) text += columns_text(importance_table(of));
  text += paragraph("", 0, importance_sentence(of)) + "\n";
  text += paragraph("", 0, best_known_sentence(of));
  const std::string command = best_known_command(of);
  return command.empty() ? text : text + "  " + command + "\n";
}

}  // namespace cubicbench::results
