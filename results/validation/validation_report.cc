#include "results/validation/validation_report.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "datasets/fits/peer_result.h"
#include "results/document/markup.h"
#include "results/document/number_text.h"
#include "results/layout/figure_html.h"
#include "results/layout/page.h"
#include "results/layout/page_files.h"
#include "results/validation/ablation_tables.h"
#include "results/validation/collective_figure.h"
#include "results/validation/error_figure.h"
#include "results/validation/memory_figures.h"
#include "results/validation/peer_table.h"
#include "results/validation/row_groups.h"
#include "results/validation/time_figure.h"
#include "results/validation/validation_csv.h"
#include "results/validation/validation_notes.h"
#include "results/validation/validation_tables.h"
#include "results/validation/worst_rows.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t rows_shown = 20;
constexpr std::size_t groups_shown = 25;

std::string paragraph_html(const std::string& text) { return "<p>" + escaped(text) + "</p>\n"; }

std::string table_html(const ReportTable& table) { return html_table(table.columns, table.rows); }

std::string section(const char* id, const char* heading, const std::string& body) {
  return "<section id=\"" + std::string(id) + "\">\n<h2>" + escaped(heading) + "</h2>\n" + body +
         "</section>\n";
}

std::string csv_link(const char* file, const char* text) {
  return "<p><a href=\"" + std::string(file) + "\">" + escaped(text) + "</a></p>\n";
}

/// `name` in the name of a file: other characters than letters, digits, '-' and '_' become '-'.
std::string file_text(std::string name) {
  for (char& c : name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    if (!kept) c = '-';
  }
  return name;
}

/// What stands beyond the first lines is folded.
std::string groups_html(ReportTable table) {
  if (table.rows.size() <= groups_shown) return table_html(table);
  const auto middle = table.rows.begin() + static_cast<std::ptrdiff_t>(groups_shown);
  const ReportTable rest{.columns = table.columns, .rows = {middle, table.rows.end()}};
  table.rows.erase(middle, table.rows.end());
  return table_html(table) + "<details>\n<summary>" + grouped(rest.rows.size()) +
         (rest.rows.size() == 1 ? " group more" : " groups more") + "</summary>\n" +
         table_html(rest) + "</details>\n";
}

/// The page under work: its parts add figures and files.
class Page {
 public:
  Page(const Validation& validation, const Summaries& summaries)
      : validation_(validation), summaries_(summaries), sources_(by_source(validation)) {
    files_.push_back({"rows.csv", rows_csv(validation)});
    files_.push_back({"skipped.csv", skipped_csv(validation)});
    files_.push_back({"summaries.csv", summaries_csv(summaries)});
  }

  /// Sections that have nothing to say are left out.
  std::string body() {
    const bool runs = has_runs(validation_);
    std::string html = paragraph_html(validation_head(validation_, summaries_)) +
                       section("reading", "How to read this", reading_part());
    if (runs) html += section("sources", "Errors of step times", sources_part());
    if (!sources_.empty()) html += section("times", "Source by source", times_part());
    if (!summaries_.parts.empty()) html += section("parts", "Parts", parts_part());
    if (runs) html += section("ranking", "Which run is faster", ranking_part());
    if (has_memory_figures(summaries_)) html += section("memory", "Memory", memory_part());
    html += collectives_section();
    if (summaries_.runs.n > 0) {
      html += section("worst", "The worst rows", worst_part());
      html += section("hung", "Slower than three times the simulation", hung_part());
    }
    return html + section("skipped", "What is not covered", skipped_part());
  }

  const std::vector<PageFile>& files() const { return files_; }

 private:
  std::string add_figure(const Figure& figure, std::string csv, const std::string& caption,
                         const std::string& stem) {
    files_.push_back({stem + ".svg", svg_of(figure)});
    files_.push_back({stem + ".csv", std::move(csv)});
    const PageFile& drawing = files_[files_.size() - 2];
    return figure_html({.svg = drawing.text,
                        .label = figure.title,
                        .caption = caption,
                        .svg_file = drawing.name,
                        .csv_file = files_.back().name});
  }

  std::vector<SourceRows> sources_of(bool collectives) const {
    std::vector<SourceRows> chosen;
    std::ranges::copy_if(sources_, std::back_inserter(chosen), [&](const SourceRows& of) {
      return (of.kind == RowKind::collective) == collectives;
    });
    return chosen;
  }

  std::string error_figure_html(bool collectives, const std::string& stem) {
    const std::vector<SourceRows> sources = sources_of(collectives);
    return add_figure(error_figure(sources, stem), error_csv(sources),
                      "Share of rows whose simulated time is off by less than so much, a line a "
                      "source with its number of timed rows. Errors below 0.1 % or above tenfold "
                      "are drawn at the ends.",
                      stem);
  }

  std::string reading_part() const {
    std::string html = paragraph_html(errors_note());
    const std::vector<std::string> lines = in_sample_lines(summaries_);
    if (!lines.empty()) {
      html += "<details>\n<summary>What was fitted to which source and part</summary>\n<ul>\n";
      for (const std::string& line : lines) html += "<li>" + escaped(line) + "</li>\n";
      html += "</ul>\n</details>\n";
    }
    return html +
           csv_link("summaries.csv", "Every figure of every source, part and family as CSV") +
           csv_link("rows.csv", "Every row as CSV");
  }

  std::string sources_part() {
    return paragraph_html(order_note()) + table_html(sources_table(validation_, summaries_)) +
           error_figure_html(false, "errors");
  }

  std::string times_part() {
    std::string html =
        "<p>A mark is a row; the shaded band is 10 % to either side of the dashed line on which "
        "both are equal. Of rows whose marks would cover one another one is drawn.</p>\n"
        "<div class=\"figures\">\n";
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      // Two sources whose names differ only in characters that files do not have stay apart.
      const std::string name = file_text(sources_[i].source);
      const std::string stem =
          "times-" + name + (name == sources_[i].source ? "" : "-" + std::to_string(i));
      html += add_figure(time_figure(sources_[i], "times-" + std::to_string(i)),
                         time_csv(sources_[i]), time_caption(sources_[i]), stem);
    }
    return html + "</div>\n";
  }

  std::string parts_part() const {
    const ReportTable peers = peer_table(validation_, datasets::peer_results());
    std::string html = table_html(parts_table(validation_, summaries_));
    if (peers.rows.empty()) return html;
    return html + "<h3>Beside other simulators</h3>\n" + paragraph_html(peers_note()) +
           table_html(peers);
  }

  std::string ranking_part() {
    const std::vector<RankedGroup> groups = ranked_groups(validation_);
    files_.push_back({"groups.csv", groups_csv(groups)});
    if (groups.empty()) return "<p>No group has five timed rows.</p>\n";
    return paragraph_html(ranks_note()) + table_html(ranks_table(summaries_)) +
           "<h3>Group by group</h3>\n" + groups_html(groups_table(groups)) +
           csv_link("groups.csv", "Groups as CSV");
  }

  std::string memory_part() {
    const std::vector<MemoryLadder> ladders = memory_ladders(validation_);
    files_.push_back({"ladders.csv", ladders_csv(ladders)});
    const auto right = std::ranges::count_if(ladders, &MemoryLadder::right);
    return paragraph_html(verdicts_note()) + table_html(verdicts_table(summaries_)) +
           paragraph_html("Of " + grouped(ladders.size()) + " ladders " +
                          grouped(static_cast<std::uint64_t>(right)) + " have both edges right.") +
           csv_link("ladders.csv", "Ladders as CSV") +
           add_figure(
               verdicts_figure(validation_, "memory-verdicts"), verdicts_csv(validation_),
               "Runs by how much of the memory that their GPUs have the simulator says they "
               "need, a mark for each twentieth. Only sources that tell of runs out of memory "
               "count: of successes alone no share can be read. Demands of more than one and a "
               "half times "
               "the limit stand at the right end.",
               "memory-verdicts") +
           paragraph_html(memory_note()) + table_html(memory_table(summaries_)) +
           add_figure(peaks_figure(validation_, "memory-peaks"), peaks_csv(validation_),
                      "A mark is a run; the shaded band is 10 % to either side of the dashed line "
                      "on which both are equal. Each is of the kind and the rank that its source "
                      "logs. Of runs of a source whose marks would cover one another one is drawn.",
                      "memory-peaks");
  }

  std::string collectives_section() {
    const ReportTable table = collectives_table(validation_, summaries_);
    return table.rows.empty() ? "" : section("collectives", "Collectives", collectives_part(table));
  }

  std::string collectives_part(const ReportTable& table) {
    return paragraph_html(collectives_note()) + table_html(table) +
           add_figure(collective_figure(validation_, "sizes"), collective_csv(validation_),
                      "Median of simulated over measured time of each operation, at sizes up to "
                      "twice as large as the mark's; above the line the simulator is too slow.",
                      "sizes") +
           error_figure_html(true, "collective-errors") + crossovers_part();
  }

  std::string crossovers_part() {
    const std::vector<Crossover> crossovers = crossovers_of(validation_);
    if (crossovers.empty()) return "";
    files_.push_back({"crossovers.csv", crossovers_csv(crossovers)});
    return "<h3>From latency to bandwidth</h3>\n" + paragraph_html(crossovers_note(crossovers)) +
           table_html(crossovers_table(crossovers)) +
           csv_link("crossovers.csv", "Crossovers as CSV");
  }

  std::string worst_part() {
    const auto rows = worst_rows(validation_, rows_shown);
    files_.push_back({"worst.csv", worst_rows_csv(rows)});
    return paragraph_html("The " + std::to_string(rows.size()) +
                          " timed runs that the simulator is furthest off on, either way. The "
                          "ratio is simulated over measured; a star marks those slower than three "
                          "times the simulation.") +
           worst_rows_legend() + worst_rows_table(rows) +
           csv_link("worst.csv", "These rows with the seconds of every part as CSV");
  }

  std::string hung_part() {
    const auto rows = hung_rows(validation_);
    files_.push_back({"hung.csv", worst_rows_csv(rows)});
    if (rows.empty()) return "<p>No run took more than three times as long as simulated.</p>\n";
    return paragraph_html(hung_note(summaries_)) + table_html(hung_table(validation_)) +
           csv_link("hung.csv", "All of them as CSV");
  }

  std::string skipped_part() const {
    std::string html;
    if (!validation_.skipped.empty()) {
      html += paragraph_html(skipped_note()) + table_html(skipped_table(validation_)) +
              csv_link("skipped.csv", "Every skipped row as CSV");
    }
    return html + table_html(excluded_table(validation_));
  }

  const Validation& validation_;
  const Summaries& summaries_;
  std::vector<SourceRows> sources_;
  std::vector<PageFile> files_;
};

std::string ablation_sections(const Ablation* ablation) {
  if (ablation == nullptr || ablation->stacks.empty()) return "";
  std::string terms =
      paragraph_html(ablation_note(*ablation)) + table_html(ablation_table(*ablation));
  for (const AblatedRuns& stack : ablation->stacks) {
    terms += "<details>\n<summary>" + escaped(stack.stack) + "</summary>\n" +
             paragraph_html(ablated_note(stack)) + table_html(ablation_table(stack)) +
             "</details>\n";
  }
  return section("terms", "What each term is worth", terms) +
         section("left-out", "Models left out",
                 paragraph_html(left_out_note(*ablation)) + table_html(left_out_table(*ablation)) +
                     table_html(constants_table(*ablation)));
}

std::string origin_part(const std::string& command) {
  std::string html;
  if (!command.empty()) html += "<pre>" + escaped(command) + " --out DIR</pre>\n";
  const std::string version = support::new_document("report").at("version");
  return section("origin", "How to make this again",
                 html + "<p>The same version gives the same bytes. Page by cubicbench " +
                     escaped(version) + ".</p>\n");
}

}  // namespace

void write_validation_report(const Validation& validation, const Summaries& summaries,
                             const std::filesystem::path& folder, const std::string& command,
                             const Ablation* ablation) {
  Page page(validation, summaries);
  const std::string body = page.body() + ablation_sections(ablation) + origin_part(command);
  write_page(folder / "index.html", page_html("Simulated against measured", body), page.files());
}

}  // namespace cubicbench::results
