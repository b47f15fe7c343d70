#include "scenarios/readers/workload_reader.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "scenarios/catalog.h"
#include "scenarios/readers/hugging_face.h"
#include "scenarios/readers/recommendation_reader.h"
#include "scenarios/space/workload_kind.h"
#include "support/input_error.h"
#include "support/json/filled_string.h"

namespace cubicbench::scenarios {
namespace {

/// In the order of WorkloadKind.
constexpr std::array<std::string_view, 3> kinds{"transformer", "mixture_of_experts",
                                                "recommendation"};

std::string_view name_of(WorkloadKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

/// The model in the file at `path`; after a problem any.
sim::Transformer model_in_file(support::ObjectReader& in, const std::string& path,
                               const std::string& directory, std::int64_t sequence) {
  return support::gathered(in.problems(), [&] {
    // Always a path: there is no shelf of model files.
    const std::string named = is_path(path) ? path : "./" + path;
    const Document document = find_document(Kind::scenario, named, directory, "");
    return read_hugging_face(document, sequence, in.problems());
  });
}

/// Beside the file's name stands what such files do not tell. `stated` is the kind that the
/// scenario claims, if any.
sim::Transformer read_model_file(support::ObjectReader& in, const std::string& directory,
                                 std::optional<WorkloadKind> stated) {
  const std::string path =
      support::filled_string(in, "hugging_face", "the path of a model's config.json");
  sim::Transformer model;
  model.sequence = in.integer("sequence", 1, sequence_max);
  const std::size_t before = in.problems().size();
  if (!path.empty()) {
    const sim::Transformer read = model_in_file(in, path, directory, model.sequence);
    if (in.problems().size() == before) model = read;
  }
  const bool known = !path.empty() && in.problems().size() == before;
  if (sim::has_experts(model) || !known) read_routing(in, model.experts);
  if (sim::has_experts(model) && known) check_routing(in, model.experts);
  if (known && stated && *stated != kind_of(model)) {
    in.problem("kind", "expected \"" + std::string(name_of(kind_of(model))) +
                           "\", which the model file describes, got \"" +
                           std::string(name_of(*stated)) + "\"");
  }
  in.finish();
  return model;
}

}  // namespace

bool read_workload(support::ObjectReader& in, const std::string& directory,
                   sim::Workload& workload) {
  const std::size_t before = in.problems().size();
  const bool from_file = in.has("hugging_face");
  const bool stated = in.has("kind");
  const auto kind = static_cast<WorkloadKind>(from_file ? in.one_of("kind", kinds, std::size_t{0})
                                                        : in.one_of("kind", kinds));
  if (in.problems().size() > before) return false;
  if (kind == WorkloadKind::recommendation && from_file) {
    in.problem("kind", "this version reads model files of transformers only, got \"" +
                           std::string(name_of(kind)) + "\"");
    return false;
  }
  if (kind == WorkloadKind::recommendation) {
    workload = read_recommendation(in);
  } else if (from_file) {
    workload = read_model_file(in, directory, stated ? std::optional(kind) : std::nullopt);
  } else {
    workload = read_transformer(in, kind == WorkloadKind::mixture_of_experts);
  }
  return true;
}

}  // namespace cubicbench::scenarios
