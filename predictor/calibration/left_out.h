#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/catalog/measured_table.h"
#include "datasets/mapping/library.h"
#include "datasets/validation/validate_tables.h"
#include "predictor/calibration/calibrate.h"

namespace cubicbench::predictor {

/// Which rows are left out of the fits together, and then judged: those of a table that ships, or
/// of a model.
enum class LeftOutOf { source, model };

/// "source", "model".
std::span<const std::string_view> left_out_names();

/// The runs that the laws (datasets/measured/laws.json) and constants of stacks and devices
/// (datasets/measured/calibrations.json) are fitted to, to fit them again without some.
class Refits {
 public:
  /// Maps the runs of the laws and of every plan that ships.
  Refits();

  /// Whether any plan is fitted to such a row.
  bool tells(LeftOutOf what, std::string_view name) const;

  /// The library as it would be without these rows. The laws are fitted again where they were
  /// fitted to one of them, for all stacks that stand on them. Constants that a plan fits to one of
  /// them are fitted again, those of one stack or device together, to the other runs that the
  /// subject's plans name.
  ///
  ///   a stack without another run    plays as the generic stack of its family, and where that one
  ///                                  has none either, as the stack that is judged on all rows
  ///   a device without another run   has these constants of the first device of its generation
  ///                                  that keeps its own, else those that files have by default
  ///
  /// Stacks and devices that take values over from a subject (`also`) take these over too. A
  /// constant stays that was read off the rows by hand, or that the other runs do not tell. Uses up
  /// to `threads` threads (0: all cores), which change no bit.
  datasets::Library library_without(LeftOutOf what, std::string_view name, int threads = 0) const;

 private:
  /// A run, of which table it is, and which plan of its subject names it.
  struct Told {
    std::string table;
    std::size_t plan = 0;
    CalibrationRun run;

    bool is_of(LeftOutOf what, std::string_view name) const;
  };
  /// A stack or a device, the constants that each of its plans fits, and to what.
  struct Subject {
    CalibrationSubject kind = CalibrationSubject::stack;
    std::string name;
    std::vector<std::vector<std::string>> fits{};    ///< by plan
    std::vector<std::vector<std::string>> takers{};  ///< by plan: others with the same values
    std::vector<Told> runs{};
  };
  /// What is left of a subject.
  struct Rest {
    const Subject* subject = nullptr;
    std::vector<std::string> constants{};  ///< that are to be told again
    std::vector<std::string> takers{};
    std::vector<CalibrationRun> runs{};
  };

  void fit_laws_without(LeftOutOf what, std::string_view name, int threads,
                        datasets::Library& library) const;
  Subject& subject_of(CalibrationSubject kind, const std::string& name);
  std::vector<Rest> rests_without(LeftOutOf what, std::string_view name) const;

  std::vector<Told> law_runs_;
  std::vector<Subject> subjects_;  ///< in the order of their first plans
};

/// validate_tables(), with every run played by constants that were fitted without its source, or
/// without its model. `unnamed`: as Played has it.
datasets::Validation validate_left_out(std::span<const datasets::MeasuredTable> tables,
                                       const datasets::WantedRows& wanted, LeftOutOf what,
                                       bool unnamed, int threads = 0);

}  // namespace cubicbench::predictor
