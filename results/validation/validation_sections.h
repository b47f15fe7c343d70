#pragma once

#include <string>
#include <vector>

#include "datasets/fits/peer_result.h"
#include "results/document/document.h"
#include "results/document/figure.h"
#include "results/validation/row_fields.h"
#include "results/validation/strangers.h"
#include "results/validation/summary_fields.h"

namespace cubicbench::results {

using datasets::NamedRows;

// Sections of validation_document(). Each adds nothing where it has nothing to say.

/// What was fitted to which source and part, and errors of step times by source.
void add_times(const Validation& validation, const Summaries& summaries, Document& document);
/// Errors of our rows on each part and quantity that `peers` speak of, and theirs below.
void add_peers(const Validation& validation, const datasets::PeerResults& peers,
               Document& document);
/// Verdicts on memory, and errors of it.
void add_memory(const Validation& validation, const Summaries& summaries, Document& document);
/// Errors by size, and where operations change from latency to bandwidth.
void add_collectives(const Validation& validation, const Summaries& summaries, Document& document);
/// Errors of step times with one stack for all rows, and without the names of software.
void add_strangers(const Strangers& of, Document& document);
/// The same with each source left out of the fits, where that was asked for.
void add_sources_left_out(const Strangers& of, Document& document);
/// How runs are ordered within groups.
void add_ranks(const Validation& validation, const Summaries& summaries, Document& document);
/// The runs that the simulator is furthest off on, and those that is_hung() holds for.
void add_worst(const Validation& validation, const Summaries& summaries, Document& document);
/// What is not simulated, and what is not wanted.
void add_left_out(const Validation& validation, Document& document);

// What they share.

/// Sources with training runs, or with collectives, and a line of all such rows, unless it repeats
/// the only one.
std::vector<NamedSummary> run_lines(const Summaries& summaries);
std::vector<NamedSummary> collective_lines(const Summaries& summaries);
std::vector<NamedSummary> part_lines(const Summaries& summaries);

/// What was fitted to which source and part, a line each of those that are known: "vtrain: yes,
/// ...". Of parts only where all sources ship: they are told by what runs are, so that runs of
/// one's own may be among them too, to which nothing was fitted.
std::vector<std::string> in_sample_lines(const Summaries& summaries);

/// Rows by source, of collectives or of anything else, as their first rows are.
std::vector<NamedRows> sources_of(const Validation& validation, bool collectives);

/// Share of rows whose step time is off by less than so much: a line a source, on a logarithmic
/// axis of errors, and where half of the rows and nine in ten lie.
Drawing error_drawing(const std::vector<NamedRows>& sources, const std::string& stem);

/// How far to either side of equal values the band of a figure reaches, as a share.
inline constexpr double agreement_band = 0.1;

/// Simulated against measured values on equal logarithmic axes, with the line on which they are
/// equal and a band of 10 % to either side. The points of `marks` are (measured, simulated); of
/// those of one look that would cover one another one is drawn. `quantity` names the axes: "time,
/// s"; `name` prefixes the SVG's ids.
Figure agreement_figure(const std::string& name, const std::string& quantity,
                        std::vector<Series> marks);

}  // namespace cubicbench::results
