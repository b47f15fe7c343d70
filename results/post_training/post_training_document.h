#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/document/document.h"
#include "results/post_training/post_training.h"

namespace cubicbench::results {

/// What an iteration consists of and how long its parts take; or why there is none.
Document post_training_document(const PostTraining& of);

/// The same for programs: schemas/post-training.schema.json.
nlohmann::ordered_json post_training_json(const PostTraining& of);

}  // namespace cubicbench::results
