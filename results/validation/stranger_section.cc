#include <vector>

#include "results/document/number_text.h"
#include "results/validation/validation_sections.h"

namespace cubicbench::results {
namespace {

/// One source, part or all runs, however its rows are played.
struct StrangerLine {
  std::string name;
  const Summary* in_sample;
  const Summary* one_for_all;
  const Summary* unnamed;
  const Summary* left_out;  ///< null where it was not asked for
};

/// "3.0 % / 6.3 % / 15.2 %": median, mean and 90th percentile of the errors.
Cell errors_of(const Summary* of) {
  if (of == nullptr || of->n == 0) return {};
  return percent(*of->median_abs_rel_error) + " / " + percent(*of->mean_abs_rel_error) + " / " +
         percent(*of->p90_abs_rel_error);
}

const Field<StrangerLine> stranger_fields[] = {
    {{"name", "source"}, &StrangerLine::name},
    {{"n", "timed", Show::count, "", "rows with a measured time to compare"},
     [](const StrangerLine& of) { return of.in_sample->n; }},
    {{"in_sample", "as fitted", Show::figure, "",
      "median, mean and 90th percentile of the errors with the stack of each row, as above"},
     [](const StrangerLine& of) { return errors_of(of.in_sample); }},
    {{"one_for_all", "one stack for all", Show::figure, "",
      "the same with the constants of one stack on all rows"},
     [](const StrangerLine& of) { return errors_of(of.one_for_all); }},
    {{"unnamed", "unnamed", Show::figure, "",
      "the same where neither framework nor stack is stated, so that the layout, the device and "
      "the "
      "year tell the generic stack"},
     [](const StrangerLine& of) { return errors_of(of.unnamed); }},
    {{"left_out", "source left out", Show::figure, "",
      "the same with constants that are fitted again without the source"},
     [](const StrangerLine& of) { return errors_of(of.left_out); }}};

const Summary* named(const std::map<std::string, Summary>& among, const std::string& name) {
  const auto found = among.find(name);
  return found == among.end() ? nullptr : &found->second;
}

void add_lines(const Strangers& of, std::map<std::string, Summary> Summaries::*level,
               std::vector<StrangerLine>& lines) {
  for (const auto& [name, summary] : of.in_sample.*level) {
    if (summary.n == 0) continue;
    lines.push_back({.name = name,
                     .in_sample = &summary,
                     .one_for_all = named(of.one_for_all.*level, name),
                     .unnamed = named(of.unnamed.*level, name),
                     .left_out = of.left_out ? named((*of.left_out).*level, name) : nullptr});
  }
}

/// All sources and a line of all their runs; no line where none is timed.
Table sources_table(const Strangers& of) {
  std::vector<StrangerLine> lines;
  add_lines(of, &Summaries::sources, lines);
  if (!lines.empty()) {
    lines.push_back({.name = "all runs of language models",
                     .in_sample = &of.in_sample.runs,
                     .one_for_all = &of.one_for_all.runs,
                     .unnamed = &of.unnamed.runs,
                     .left_out = of.left_out ? &of.left_out->runs : nullptr});
  }
  return table_of<StrangerLine>(lines, stranger_fields);
}

Table parts_table(const Strangers& of) {
  std::vector<StrangerLine> lines;
  add_lines(of, &Summaries::parts, lines);
  Table table = table_of<StrangerLine>(lines, stranger_fields);
  table.columns.front().heading = "part";
  return table;
}

Table other_ways(const Table& table) {
  return chosen(table, {"name", "n", "in_sample", "one_for_all", "unnamed"});
}

Table left_out_way(const Table& table) {
  return chosen(table, {"name", "n", "in_sample", "left_out"});
}

}  // namespace

void add_strangers(const Strangers& of, Document& document) {
  const Table table = other_ways(sources_table(of));
  if (table.rows.empty()) return;
  document.add(Heading{"What to expect of software that was not fitted", "strangers"});
  document.add(Paragraph{
      "Step times of language models, played in two other ways: with the constants of " + of.stack +
      " on all rows, and without the names of software. The options --stack and --unnamed show "
      "each "
      "in full."});
  document.add(table);
  document.add(Paragraph{help_text(table)});
  document.add(other_ways(parts_table(of)));
}

void add_sources_left_out(const Strangers& of, Document& document) {
  const Table table = left_out_way(sources_table(of));
  if (!of.left_out || table.rows.empty()) return;
  document.add(Heading{"Sources left out", "sources-left-out"});
  document.add(
      Paragraph{"Each source is judged by constants that were not fitted to it. The option "
                "--leave-out source "
                "shows this in full, --leave-out model does the same with models. " +
                help_text(table)});
  document.add(table);
  document.add(left_out_way(parts_table(of)));
}

}  // namespace cubicbench::results
