#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "predictor/calibration/ablation.h"
#include "results/document/document.h"
#include "results/validation/strangers.h"
#include "results/validation/summary.h"

namespace cubicbench::results {

/// How a document comes about.
struct ValidationOrigin {
  std::string command{};        ///< without what says where to write; "" for unknown
  std::string markdown_file{};  ///< behind --markdown in it
  bool shipped = false;         ///< of every table that ships: docs/validation.md, which says more
};

/// What `validate` says: line by line for a terminal, with figures and the worst rows as a page,
/// and with what other simulators reach on the same rows as docs/validation.md. `ablation` and
/// `strangers` are left out where they are null.
Document validation_document(const Validation& validation, const Summaries& summaries,
                             const ValidationOrigin& origin,
                             const predictor::Ablation* ablation = nullptr,
                             const Strangers* strangers = nullptr);

/// The document of `validate --json` [docs/reference/json-documents.md].
nlohmann::ordered_json validation_json(const Validation& validation, const Summaries& summaries);

}  // namespace cubicbench::results
