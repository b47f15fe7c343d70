#include "cli/requests/validation_request.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "cli/options/column_option.h"
#include "cli/options/readers.h"
#include "predictor/calibration/subject_calibration.h"
#include "results/studies/study_commands.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/without_slash.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using datasets::MeasurementQuality;
using support::InputError;

constexpr std::array qualities{MeasurementQuality::ok, MeasurementQuality::early_pp,
                               MeasurementQuality::flag, MeasurementQuality::untuned};

std::vector<std::string_view> quality_names() {
  std::vector<std::string_view> names;
  for (const MeasurementQuality quality : qualities) names.push_back(datasets::name_of(quality));
  return names;
}

MeasurementQuality parse_quality(const std::string& word, const std::string& where) {
  return qualities[choice(word, quality_names(), where)];
}

/// It is of runs that ship, whatever else is compared.
void check_ablation(const ValidationRequest& request) {
  if (request.ablation && !is_of_all_shipped(request)) {
    throw InputError("--ablation",
                     "expected none of FILE|NAME, --quality, --stack, --unnamed and --leave-out "
                     "beside it: constants are fitted to tables that ship");
  }
}

/// Constants of one's own are fitted to nothing that could be left out.
void check_leave_out(const ValidationRequest& request) {
  if (request.leave_out && request.stack) {
    throw InputError("--leave-out",
                     "expected no --stack beside it: it plays all rows by one stack");
  }
}

}  // namespace

void declare_validation(Options& options, ValidationRequest& request) {
  constexpr int after_ablation = 1;
  options
      .arguments("FILE|NAME",
                 "Tables of measurements: CSV files, logs of training\nprograms, or names of list "
                 "datasets (default: all\nmeasured tables that ship)",
                 request.names)
      .check([&request] {
        request.tables =
            datasets::find_measured_tables(request.names, "FILE|NAME", request.columns);
      });
  declare_columns(options, request.columns).check([&request] {
    require_log(request.columns, request.names);
  });
  options
      .words("--quality", "Q[,..]",
             "Rows of quality flag and untuned count where they are\nnamed here, beside ok and "
             "early_pp, which always count",
             request.qualities, parse_quality)
      .offers(quality_names());
  declare_requirements(options,
                       "A condition on the document that --json prints, such\nas 'coverage >= "
                       "0.9' or\n'\"sources.vtrain.bias\" < 0.1'; exit with 1 if it is\nfalse. "
                       "May be repeated",
                       request.requirements);
  declare_page(options, request.out);
  options
      .value("--markdown", "FILE", "Also write the summary a source as Markdown", request.markdown,
             FileEnding{".md"})
      .in_turn(after_ablation)
      .writes(Output::file_with_folder);
  options
      .flag("--ablation",
            "Also what each term of the step time is worth: without\nit, constants are fitted "
            "again to the runs that ship\n(about a minute), and to all models but one",
            request.ablation)
      .check([&request] { check_ablation(request); });
  options.value("--stack", "NAME",
                "Play all runs of language models by the constants of\nthis stack: a library name, "
                "or a file",
                request.stack);
  options.flag("--unnamed",
               "Leave out framework and stack of all runs, so that\ndevice, year and layout tell "
               "a generic stack",
               request.unnamed);
  options
      .value("--leave-out", "WHAT",
             "Judge each source, or each model, by constants that are\nfitted again without it "
             "(source, model)",
             request.leave_out,
             [](const std::string& word, const std::string& where) {
               return predictor::LeftOutOf(choice(word, predictor::left_out_names(), where));
             })
      .offers(predictor::left_out_names())
      .check([&request] { check_leave_out(request); });
}

datasets::Validation validation_of(const ValidationRequest& request) {
  const int threads = request.global.threads;
  if (request.leave_out) {
    return predictor::validate_left_out(request.tables, wanted_rows(request), *request.leave_out,
                                        request.unnamed, threads);
  }
  datasets::Played as{.unnamed = request.unnamed};
  std::optional<datasets::Library> one;
  if (request.stack) {
    using predictor::CalibrationSubject;
    one = datasets::played_by(
        predictor::find_subject(CalibrationSubject::stack, *request.stack, "--stack").stack);
    as.among = [&](const auto&, const auto&) -> const datasets::Library& { return *one; };
  }
  return datasets::validate_tables(request.tables, wanted_rows(request), threads, as);
}

datasets::WantedRows wanted_rows(const ValidationRequest& request) {
  datasets::WantedRows wanted;
  if (!request.qualities.empty()) {
    wanted.qualities = {request.qualities.begin(), request.qualities.end()};
  }
  return wanted;
}

bool is_of_all_shipped(const ValidationRequest& request) {
  return request.names.empty() && request.qualities.empty() && !request.stack && !request.unnamed &&
         !request.leave_out;
}

std::string command_of(const ValidationRequest& request) {
  std::string command = "cubicbench validate";
  for (const std::string& name : request.names) {
    command += " " + results::shell_word(support::without_slash(name).filename().string());
  }
  command += column_words(request.columns);
  if (!request.qualities.empty()) {
    std::vector<std::string_view> words;
    for (const MeasurementQuality quality : request.qualities) {
      words.push_back(datasets::name_of(quality));
    }
    command += " --quality " + results::shell_word(support::joined(words, ","));
  }
  if (request.ablation) command += " --ablation";
  if (request.stack) {
    command += " --stack " + results::shell_word(fs::path(*request.stack).filename().string());
  }
  if (request.unnamed) command += " --unnamed";
  if (request.leave_out) {
    const auto what = static_cast<std::size_t>(*request.leave_out);
    command += " --leave-out " + std::string(predictor::left_out_names()[what]);
  }
  return command;
}

}  // namespace cubicbench::cli
