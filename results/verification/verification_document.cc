#include "results/verification/verification_document.h"

#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using search::VerifiedDifference;

const Field<VerifiedDifference> fields[] = {{{"study", "study"}, &VerifiedDifference::study},
                                            {{"trial", "trial"}, &VerifiedDifference::trial},
                                            {{"what", "difference"}, &VerifiedDifference::what}};

}  // namespace

nlohmann::ordered_json verification_json(const search::Verification& verification) {
  nlohmann::ordered_json document = support::new_document("verification");
  document["launches"] = verification.launches;
  document["checked"] = verification.checked;
  document["differences"] = json_of(table_of<VerifiedDifference>(verification.differences, fields));
  document["studies"] = verification.studies;
  document["played"] = verification.played;
  return document;
}

Document verification_document(const search::Verification& verification) {
  Document document{.title = "Verification"};
  const std::string played = counted(verification.checked, "launch", "launches") + " of " +
                             counted(verification.played, "study", "studies") +
                             " were played again (" +
                             counted(verification.launches, "launch", "launches") + ", " +
                             counted(verification.studies, "study", "studies") + " in all)";
  if (verification.differences.empty()) {
    document.add(Paragraph{"The search is what the simulator answers: " + played + "."});
    return document;
  }
  document.add(Paragraph{"The search is not what the simulator answers: " +
                         counted(verification.differences.size(), "difference", "differences") +
                         "; " + played + "."});
  Table table = table_of<VerifiedDifference>(verification.differences, fields);
  constexpr std::size_t shown = 20;
  table.shown = shown;
  document.add(std::move(table));
  return document;
}

}  // namespace cubicbench::results
