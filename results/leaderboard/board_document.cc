#include "results/leaderboard/board_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/leaderboard/board_figures.h"
#include "results/score/score_document.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

const Field<BoardRow> fields[] = {
    {{"searcher", "searcher"}, &BoardRow::searcher},
    {with_best({"score", "score", Show::fixed3, "",
                "share of the gap between baseline and optimum that the recommendation closes, "
                "the mean over the problems of the mean over the seeds"},
               Best::greatest),
     &BoardRow::score},
    {{"interval", "95 %", Show::figure, "", "bootstrap interval over problems and seeds"},
     [](const BoardRow& row) { return interval_cell(row.interval); }},
    {{"mean_rank", "mean rank", Show::fixed1, "", "over the problems, 1 is the best"},
     &BoardRow::rank},
    {{"failed_share", "failed", Show::percent, "", "share of the launches"},
     &BoardRow::failed_share},
    {{"lost_to_noise", ""}, &BoardRow::lost_to_noise},
    {{"gpu_hours", "GPU-hours", Show::scaled, "",
      "what the launches of a study cost, the geometric mean over the problems"},
     &BoardRow::gpu_hours},
    {{"milliseconds_per_launch", "ms per launch", Show::fixed2, "",
      "time of one processor, journals and simulation included"},
     &BoardRow::milliseconds},
    {{"seeds", "seeds", Show::count}, &BoardRow::seeds},
    {{"telling", "telling"}, &BoardRow::telling}};

/// A row per searcher. People see how many seeds each has, and how it is told of failures, where
/// that differs.
Table rows_of(const Leaderboard& board) {
  Table table = table_of<BoardRow>(board.rows, fields);
  const auto hide_if_alike = [&](const char* key, auto BoardRow::*of) {
    const auto as_first = [&](const BoardRow& row) { return row.*of == board.rows.front().*of; };
    if (!std::ranges::all_of(board.rows, as_first)) return;
    std::ranges::find(table.columns, key, &Column::key)->heading.clear();
  };
  hide_if_alike("seeds", &BoardRow::seeds);
  hide_if_alike("telling", &BoardRow::telling);
  return table;
}

/// Each telling once, sorted.
std::string tellings_of(const Leaderboard& board) {
  std::set<std::string> tellings;
  for (const BoardRow& row : board.rows) tellings.insert(row.telling);
  return support::joined(tellings, ", ");
}

std::string launches_of(const Leaderboard& board) {
  const auto [least, most] = std::ranges::minmax(
      board.problems, {}, [](const ComparedProblem& problem) { return problem.trials; });
  return least.trials == most.trials
             ? counted(least.trials, "launch", "launches")
             : grouped(least.trials) + " to " + grouped(most.trials) + " launches";
}

std::string seeds_of(const Leaderboard& board) {
  const auto [least, most] = std::ranges::minmax(board.rows, {}, &BoardRow::seeds);
  return least.seeds == most.seeds ? counted(least.seeds, "seed", "seeds")
                                   : grouped(least.seeds) + " to " + grouped(most.seeds) + " seeds";
}

std::string finding_of(const Leaderboard& board) {
  const BoardRow& best = board.rows.front();
  return "Over " + counted(board.problems.size(), "problem", "problems") + " " + best.searcher +
         " closes " + percent(best.score) +
         " of the gap between baseline and optimum (95 %: " + percent(best.interval.low) + " to " +
         percent(best.interval.high) + ").";
}

std::string studies_of(const Leaderboard& board) {
  const bool granted = board.start == "baseline";
  return "A study has " + launches_of(board) +
         (granted ? " and is granted the baseline as the first of them. "
                  : " and is not granted the baseline. ") +
         "There are " + seeds_of(board) + ". Searchers are told of failures by --telling " +
         tellings_of(board) + ". Version " + board.version + ".";
}

std::string p_text(double p) { return p < 0.001 ? "p < 0.001" : "p = " + fixed(p, 3); }

/// What the tests of ranks say.
std::string rank_text(const Leaderboard& board) {
  std::vector<std::string> near;
  for (const BoardRow& row : board.rows) {
    if (board.near_the_best(row)) near.push_back(row.searcher);
  }
  const support::FriedmanTest& test = *board.friedman;
  return "The mean scores of a problem rank the searchers. Over " +
         counted(test.blocks, "problem", "problems") + " the ranks " +
         (test.p_f < board_alpha ? "differ" : "do not differ") +
         " (Friedman, Iman and Davenport: F = " + fixed(test.f, 1) + ", " + p_text(test.p_f) +
         "). Two searchers differ at 5 % where their "
         "mean ranks are " +
         fixed(board.critical_difference, 2) +
         " or more apart (Nemenyi, all "
         "pairs accounted for). " +
         (near.size() == 1 ? near.front() + " differs from all others."
                           : "So these cannot be told apart from the best: " +
                                 support::joined(near, ", ") + ".") +
         " A problem is one observation here, so this asks about other problems like these. Which "
         "of two searchers is better on these problems is a question to compare, which sees much "
         "smaller differences.";
}

void add_main(const Leaderboard& board, Document& document) {
  document.add(Paragraph{finding_of(board)});
  document.add(Paragraph{studies_of(board)});
  const Table table = rows_of(board);
  document.add(table);
  document.add(Paragraph{"Columns: " + help_text(table)}, Media::written);
  if (board.friedman) {
    document.add(Heading{"Which of them differ", "ranks"});
    document.add(Paragraph{rank_text(board)});
    document.add(rank_drawing(board));
  }
  document.add(Heading{"While the budget is spent", "anytime"}, Media::written);
  document.add(anytime_drawing(board));
}

void add_other(const Leaderboard& board, Document& document) {
  const bool bare = board.start == "none";
  document.add(
      Heading{bare ? "Without the baseline" : "From the baseline", "start-" + board.start});
  document.add(Paragraph{finding_of(board) + " " + studies_of(board)});
  document.add(rows_of(board));
}

void add_entry(const Leaderboard& board, Document& document) {
  const std::string suite = board.suite.empty() ? "standard" : board.suite;
  document.add(Heading{"How to send an entry", "entry"});
  document.add(
      Paragraph{"Search the suite with your searcher, with a hundred seeds or at least ten, check "
                "the folder, "
                "and see its rank:"});
  document.add(
      Command{"cubicbench search --suite " + suite +
              " --searcher \"external:python3 mine.py\" --seeds 100 --telling bytes --out "
              "out/mine\ncubicbench verify out/mine\ncubicbench leaderboard out/mine --out "
              "board.html"});
  document.add(
      Paragraph{"Send the folder, with a description of the searcher and of how it was tuned. The "
                "organiser runs verify, with --sample 50 on a part of the studies: it plays the "
                "launches again, and names each journal that the simulator does not reproduce, "
                "with its first difference."});
  document.add(Paragraph{
      "These problems are public, so a searcher may be tuned to them. Therefore the organiser also "
      "runs it on sealed members, which stay secret until the salt is published "
      "(docs/truth.md, docs/families.md):"});
  document.add(Command{
      "cubicbench search --suite " + suite +
      " --salt salt --searcher \"external:python3 mine.py\" --seeds 10 --telling bytes --out "
      "out/sealed\ncubicbench verify out/sealed --salt salt"});
}

Json friedman_json(const Leaderboard& board) {
  if (!board.friedman) return nullptr;
  return {{"f", board.friedman->f},
          {"p", board.friedman->p_f},
          {"critical_difference", board.critical_difference},
          {"alpha", board_alpha}};
}

Json one_json(const Leaderboard& board) {
  Json searchers = json_of(table_of<BoardRow>(board.rows, fields));
  for (std::size_t i = 0; i < board.rows.size(); ++i) {
    searchers[i]["scores"] = board.rows[i].scores;
    searchers[i]["curve"] = board.rows[i].curve;
  }
  return {{"start", board.start}, {"searchers", searchers}, {"friedman", friedman_json(board)}};
}

}  // namespace

Document board_document(const std::vector<Leaderboard>& boards) {
  const Leaderboard& first = boards.front();
  Document document{.title = first.suite.empty() ? "Leaderboard" : "Leaderboard of " + first.suite,
                    .contents = true};
  add_main(first, document);
  for (std::size_t i = 1; i < boards.size(); ++i) add_other(boards[i], document);
  add_entry(first, document);
  return document;
}

Json board_json(const std::vector<Leaderboard>& boards) {
  const Leaderboard& first = boards.front();
  Json document = support::new_document("leaderboard");
  document["suite"] = first.suite.empty() ? Json() : Json(first.suite);
  document["problems"] = Json::array();
  for (const ComparedProblem& problem : first.problems) {
    document["problems"].push_back({{"scenario", problem.scenario},
                                    {"instance", problem.instance},
                                    {"trials", problem.trials},
                                    {"truth_sha256", problem.truth_sha256}});
  }
  document["leaderboards"] = Json::array();
  for (const Leaderboard& board : boards) document["leaderboards"].push_back(one_json(board));
  return document;
}

}  // namespace cubicbench::results
