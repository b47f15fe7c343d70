#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "results/document/document.h"
#include "results/score/suite_score.h"

namespace cubicbench::results {

/// The table of scores with what its columns mean, or the note why there is none. `title` is that
/// of its section.
void add_score_table(const SuiteScore& suite, const std::string& title, Document& document);

/// The score after launches and after GPU-hours, as figures side by side; nothing without scores.
/// `stem` begins the names of their files.
void add_score_figures(const SuiteScore& suite, const std::string& stem, Document& document);

/// Which differences between two searchers the problems show, with 10, 30, 100 and 300 seeds: for
/// the score and for each problem, as the searcher scatters whose score varies most. Nothing where
/// no searcher has two seeds.
void add_power(const SuiteScore& suite, Document& document);

/// "0.865", "−0.010" with a minus sign.
std::string score_text(double score);
/// An interval of scores: "0.822 to 0.906".
Cell interval_cell(const support::Interval& interval);

/// For curves of scores the least of which is `lowest`, at most 0.
Axis score_axis(double lowest);

/// The rows of the table as JSON: null where there is no score.
nlohmann::ordered_json score_json(const SuiteScore& suite);

}  // namespace cubicbench::results
