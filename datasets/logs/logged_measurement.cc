#include "datasets/logs/logged_measurement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "datasets/logs/steady_step.h"
#include "datasets/tables/measurement_schema.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::datasets {
namespace {

using Count = std::optional<std::int64_t>;

constexpr std::int64_t batch_max = 1'000'000'000'000;

/// Nothing beyond `batch_max`.
Count product(std::initializer_list<std::int64_t> factors) {
  std::int64_t all = 1;
  for (const std::int64_t factor : factors) {
    if (factor < 1 || all > batch_max / factor) return std::nullopt;
    all *= factor;
  }
  return all;
}

bool is_words(std::string_view column) {
  constexpr std::array<std::string_view, 8> words{"id",    "source",    "date",   "framework",
                                                  "model", "precision", "family", "searcher"};
  return std::ranges::find(words, column) != words.end();
}

class Row {
 public:
  Row(LogRecorder& recorder, GivenColumns given) : recorder_(recorder), run_(recorder.run()) {
    for (const GivenColumn& one : given) add(one);
    for (const LoggedCell& cell : run_.cells) {
      set_cell(*find_measurement_column(cell.column), cell.text, row_);
    }
  }

  Measurement read() {
    settle_gpus();
    const SteadyStep steady = steady_step(run_);
    settle_batch(steady);
    settle_time(steady);
    settle_memory();
    settle_texts(steady);
    return std::move(row_);
  }

 private:
  /// Names take the place of the log's; numbers that it states may only be said again.
  void add(const GivenColumn& one) {
    const MeasurementColumn& column = *find_measurement_column(one.name);
    if (is_words(column.name)) {
      std::erase_if(run_.cells, [&](const LoggedCell& cell) { return cell.column == column.name; });
    }
    recorder_.cell(column.name, one.value, "--column " + one.name, 0);
  }

  void problem(std::string text) { recorder_.problem(0, std::move(text)); }

  void settle_gpus() {
    const std::int64_t tp = row_.tp.value_or(1);
    const std::int64_t pp = row_.pp.value_or(1);
    const std::int64_t cp = row_.cp.value_or(1);
    const Count model = product({tp, pp, cp});
    const std::string words =
        "tp " + std::to_string(tp) + " x pp " + std::to_string(pp) + " x cp " + std::to_string(cp);
    const Count all = model && row_.dp ? product({*model, *row_.dp}) : std::nullopt;
    if (!model || (row_.dp && !all)) {
      problem("expected fewer than 10^12 GPUs, got " + words);
    } else if (row_.n_gpus && row_.dp && *all != *row_.n_gpus) {
      problem("expected n_gpus that is dp " + std::to_string(*row_.dp) + " x " + words + " = " +
              std::to_string(*all) + ", got " + std::to_string(*row_.n_gpus));
    } else if (row_.n_gpus && *row_.n_gpus % *model != 0) {
      problem("expected n_gpus that " + words + " divides, got " + std::to_string(*row_.n_gpus));
    } else if (!row_.n_gpus) {
      row_.n_gpus = all;
    } else if (!row_.dp && row_.tp && row_.pp) {
      row_.dp = *row_.n_gpus / *model;
    }
    if (row_.pp && row_.n_layers && *row_.pp > *row_.n_layers) {
      problem("expected at most as many stages as layers, got pp " + std::to_string(*row_.pp) +
              " of " + std::to_string(*row_.n_layers) + " layers");
    }
  }

  /// What records say of the batch is what they ran with.
  void settle_batch(const SteadyStep& steady) {
    if (steady.batch > 0.0) {
      const Count batch = static_cast<std::int64_t>(steady.batch);
      if (row_.global_batch && row_.global_batch != batch && !run_.ramps) {
        problem("expected records of the global batch " + std::to_string(*row_.global_batch) +
                ", got " + std::to_string(*batch));
      }
      if (row_.global_batch != batch) row_.grad_accum.reset();
      row_.global_batch = batch;
    }
    const Count at_once =
        row_.dp && row_.micro_batch ? product({*row_.dp, *row_.micro_batch}) : std::nullopt;
    if (row_.global_batch && at_once) {
      divide_batch(*at_once);
    } else if (!row_.global_batch && at_once && row_.grad_accum) {
      row_.global_batch = product({*at_once, *row_.grad_accum});
    } else if (row_.global_batch && row_.dp && row_.grad_accum && !row_.micro_batch) {
      const Count parts = product({*row_.dp, *row_.grad_accum});
      if (parts && *row_.global_batch % *parts == 0) row_.micro_batch = *row_.global_batch / *parts;
    }
  }

  void divide_batch(std::int64_t at_once) {
    const std::string words =
        "dp " + std::to_string(*row_.dp) + " x micro_batch " + std::to_string(*row_.micro_batch);
    if (*row_.global_batch % at_once != 0) {
      problem("expected a global_batch that " + words + " divides, got " +
              std::to_string(*row_.global_batch));
      return;
    }
    const std::int64_t steps = *row_.global_batch / at_once;
    if (row_.grad_accum && *row_.grad_accum != steps) {
      problem("expected a global_batch that is " + words + " x grad_accum " +
              std::to_string(*row_.grad_accum) + ", got " + std::to_string(*row_.global_batch));
    }
    row_.grad_accum = steps;
  }

  void settle_time(const SteadyStep& steady) {
    if (run_.out_of_memory) return;
    row_.step_time_s = steady.seconds;
    if (steady.tokens_per_s_per_gpu) {
      row_.tokens_per_s_per_gpu = steady.tokens_per_s_per_gpu;
      if (row_.global_batch && row_.seq_len && row_.n_gpus) {
        const double tokens =
            static_cast<double>(*row_.global_batch) * static_cast<double>(*row_.seq_len);
        row_.step_time_s =
            tokens / (*steady.tokens_per_s_per_gpu * static_cast<double>(*row_.n_gpus));
      }
    }
    if (steady.samples_per_s && row_.global_batch) {
      row_.step_time_s = static_cast<double>(*row_.global_batch) / *steady.samples_per_s;
    }
    if (row_.step_time_s && !(*row_.step_time_s <= step_seconds_max)) {
      problem("expected a step of at most 10^6 s, got " + support::shortest(*row_.step_time_s) +
              " s");
    }
    const bool has_time = row_.step_time_s || row_.tokens_per_s_per_gpu;
    if (has_time || run_.peak) return;
    problem(steady.samples_per_s
                ? "expected a global batch beside samples per second; give it as --column "
                  "global_batch=N"
                : "expected a training step or a peak of memory, got none");
  }

  void settle_memory() {
    if (!run_.peak) return;
    row_.peak_mem_gib = run_.peak->gib;
    row_.mem_kind = run_.peak->kind;
  }

  void settle_texts(const SteadyStep& steady) {
    const std::filesystem::path path(run_.file);
    if (row_.id.empty()) row_.id = path.stem().string();
    if (row_.source.empty()) {
      row_.source = run_.format + " log (" + run_.version + ") " + path.filename().string();
    }
    row_.line = 1;
    for (const NotUnderstood& named : steady.named) {
      recorder_.not_understood(named.line, named.what);
    }
    std::vector<std::string> notes;
    if (run_.out_of_memory) {
      row_.status = MeasurementStatus::oom;
      notes.push_back("ran out of memory after " + std::to_string(steady.records) + " records");
    } else if (steady.records > 0) {
      notes.push_back(words_of(steady));
    }
    notes.insert(notes.end(), run_.notes.begin(), run_.notes.end());
    row_.notes = support::joined(notes, "; ");
  }

  /// "median of 8 of 12 records: 2 of warm-up, 1 after a pause, 1 said twice".
  static std::string words_of(const SteadyStep& steady) {
    const std::array<std::pair<std::size_t, const char*>, 7> left_out{
        {{steady.doubled, "said twice"},
         {steady.ramp, "of another batch"},
         {steady.contradictory, "contradictory"},
         {steady.paused, "after a pause"},
         {steady.warm_up, "of warm-up"},
         {steady.too_fast, "too fast"},
         {steady.too_slow, "too slow"}}};
    std::vector<std::string> parts;
    for (const auto& [count, words] : left_out) {
      if (count > 0) parts.push_back(std::to_string(count) + " " + words);
    }
    return "median of " + std::to_string(steady.used) + " of " + std::to_string(steady.records) +
           " records" + (parts.empty() ? "" : "; left out: ") + support::joined(parts, ", ");
  }

  LogRecorder& recorder_;
  LoggedRun& run_;
  Measurement row_;
};

}  // namespace

Measurement measurement_of(LogRecorder& recorder, GivenColumns given) {
  return Row(recorder, given).read();
}

std::vector<std::string> missing_columns(const Measurement& row) {
  std::vector<std::string> missing;
  const auto need = [&](bool stated, const char* column) {
    if (!stated) missing.emplace_back(column);
  };
  need(!row.device.empty(), "device");
  need(row.n_gpus || row.dp, "n_gpus");
  need(!row.model.empty() || (row.n_layers && row.d_model), "model");
  need(row.seq_len.has_value(), "seq_len");
  need(row.micro_batch || (row.global_batch && row.grad_accum), "micro_batch");
  need(row.global_batch || row.grad_accum, "global_batch");
  return missing;
}

}  // namespace cubicbench::datasets
