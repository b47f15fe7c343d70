#include "results/paper/paper_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "results/document/html.h"
#include "results/paper/paper_numbers.h"
#include "scenarios/readers/campaign_reader.h"
#include "tests/results/judged_jobs.h"
#include "tests/results/well_formed.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

search::StudySet searches(const fs::path& folder) {
  for (const char* searcher : {"random", "cubicml"}) {
    search::WrittenStudy study{.searcher = searcher, .launches = {}};
    for (int i = 0; i < 12; ++i) {
      study.launches.push_back({.value = 100.0 + static_cast<double>(i * 7 % 12),
                                .truth = 99.0 + static_cast<double>(i * 7 % 12),
                                .round = searcher[0] == 'c' ? i / 4 : 0});
    }
    write_study(folder, searcher, study);
  }
  return search::read_study_set(std::array{folder});
}

struct Everything {
  Everything() : set(searches(folder.path() / "search")) {
    for (const scenarios::CampaignFigure& figure : paper_figures()) {
      const std::string of(figure.prediction);
      options.figures.emplace_back(figure.name);
      if (of == figure.name) {
        predictions.push_back(
            {.name = of, .data = &data, .judged = &judged, .command = "predict " + of});
      }
    }
    options.commands = {"cubicbench paper"};
  }
  std::vector<std::string> write(const char* folder_name) const {
    const fs::path page = folder.path() / folder_name / "index.html";
    return write_page(paper_document(set, predictions, page, options), page);
  }
  TemporaryFolder folder;
  search::StudySet set;
  datasets::Dataset data = made_up_jobs(120);
  predictor::JudgedDataset judged = made_up_judgements(data);
  std::vector<NamedJudgement> predictions;
  PaperOptions options;
};

TEST(PaperFigures, AreAllDrawnByTheCampaignsOfThePaper) {
  std::vector<std::string> names;
  for (const scenarios::CampaignFigure& figure : paper_figures()) names.emplace_back(figure.name);
  EXPECT_THAT(names, testing::SizeIs(10));
  for (const char* const campaign : {"paper", "paper-full"}) {
    EXPECT_EQ(scenarios::read_campaign(campaign, paper_figures()).figures, names);
  }
}

TEST(PaperPage, HasASectionAndFilesForEveryFigure) {
  const Everything all;
  const std::vector<std::string> files = all.write("out");
  EXPECT_EQ(files.front(), "index.html");
  const std::string page = read_text(all.folder.path() / "out" / "index.html");
  EXPECT_EQ(xml_problem(page), "");
  for (const scenarios::CampaignFigure& figure : paper_figures()) {
    const std::string name(figure.name);
    EXPECT_THAT(page, testing::AnyOf(HasSubstr("<section id=\"" + name + "\">"),
                                     HasSubstr("<figure id=\"" + name + "\"")));
    for (const char* const extension : {".svg", ".csv"}) {
      EXPECT_THAT(files, testing::Contains("index." + name + extension));
      EXPECT_THAT(page, HasSubstr("href=\"index." + name + extension + "\""));
    }
  }
  for (const std::string& file : files) {
    EXPECT_TRUE(fs::is_regular_file(all.folder.path() / "out" / file)) << file;
  }
  EXPECT_THAT(page, HasSubstr("made-up &lt;jobs&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("made-up <jobs>")));
  EXPECT_THAT(page, HasSubstr("<pre>cubicbench paper</pre>"));
  EXPECT_THAT(page, HasSubstr("predict fig3-random\n"));
  const std::string reading = "<p>Over the test part, means over the repeats.";
  EXPECT_THAT(page, HasSubstr(reading));
  EXPECT_EQ(page.find(reading), page.rfind(reading));  // once
  EXPECT_THAT(page, HasSubstr("scenario_sha256"));
  EXPECT_THAT(page, HasSubstr("How each searcher did"));
  // Roofline asks the simulator: mlp is the best of the others on 40 jobs, and on 150.
  EXPECT_THAT(page, HasSubstr("<td>ridge</td><td class=\"number\">0.600</td>"
                              "<td class=\"number\">0.700</td>"));
  EXPECT_THAT(page, HasSubstr("<td>mlp</td><td class=\"number\"><b>0.650</b></td>"
                              "<td class=\"number\"><b>0.750</b></td>"));
}

TEST(PaperPage, PanelsOfFig3StandSideBySideOnEqualAxes) {
  const Everything all;
  all.write("out");
  const std::string page = read_text(all.folder.path() / "out" / "index.html");
  const std::size_t begin = page.find("<section id=\"fig3\">");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, page.find("</section>", begin) - begin);
  EXPECT_THAT(section, HasSubstr("<div class=\"figures panels\">"));
  std::size_t at = 0;
  for (const char* const name : {"fig3-random", "fig3-time", "fig3-scale"}) {
    at = section.find("<figure id=\"" + std::string(name) + "\" class=\"panel\">", at);
    ASSERT_NE(at, std::string::npos) << name;
  }
}

TEST(PaperPage, IsTheSameForTheSameInputs) {
  const Everything all;
  const std::vector<std::string> files = all.write("a");
  EXPECT_EQ(all.write("b"), files);
  for (const std::string& file : files) {
    EXPECT_EQ(read_text(all.folder.path() / "a" / file), read_text(all.folder.path() / "b" / file))
        << file;
  }
}

TEST(PaperPage, NeedsNoSearchAndNoPrediction) {
  const TemporaryFolder folder;
  const PaperOptions options{.curves = {}, .title = "T", .figures = {}, .commands = {}};
  const fs::path file = folder.path() / "p.html";
  EXPECT_THAT(write_page(paper_document({}, {}, file, options), file), ElementsAre("p.html"));
  const std::string page = read_text(folder.path() / "p.html");
  EXPECT_EQ(xml_problem(page), "");
  EXPECT_THAT(page, HasSubstr("+10.3 %"));
}

TEST(PaperNumbers, StandBesideThePapers) {
  const datasets::Dataset data = made_up_jobs(60);
  const predictor::JudgedDataset judged = made_up_judgements(data);
  // On real runs nobody is privileged: roofline is the best of all.
  predictor::JudgedDataset real = judged;
  for (predictor::Judgement& of : real.judgements) of.privileged = false;
  const NamedJudgement simulated{.name = "simulated", .data = &data, .judged = &judged};
  const NamedJudgement measured{.name = "real", .data = &data, .judged = &real};
  const OurResults ours{
      .searches = {}, .simulated = &simulated, .simulated_sizes = &simulated, .real = &measured};
  Document document{.title = ""};
  add_paper_numbers(ours, document);
  const Table* table = nullptr;
  for (const Block& block : document.blocks) {
    if (table == nullptr) table = std::get_if<Table>(&block.content);
  }
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 7U);
  const auto row = [&](std::size_t i, std::size_t first) {
    return std::vector<Cell>(table->rows[i].begin() + static_cast<std::ptrdiff_t>(first),
                             table->rows[i].end());
  };
  const Cell none;
  EXPECT_THAT(row(0, 1), ElementsAre("+10.3 %", "a summary", none, none, none));
  // Of ridge, since the one that is better learnt order alone, and roofline asks the simulator.
  // On real runs roofline, and beside it mlp, which never asks; all as means over the repeats.
  EXPECT_THAT(row(1, 1), ElementsAre("0.88", "a summary", "0.780 (ridge, 150 jobs)",
                                     "0.980 (roofline, 150 jobs)", "0.830 (mlp, 150 jobs)"));
  EXPECT_THAT(row(2, 1), ElementsAre("0.97", "a summary", "0.890 (ridge, 150 jobs)",
                                     "1.090 (roofline, 150 jobs)", testing::_));
  EXPECT_THAT(row(3, 1), ElementsAre("0.97", "a summary", "0.880 (ridge, 150 jobs)",
                                     "1.080 (roofline, 150 jobs)", testing::_));
  // mlp reaches 0.75 on 150 and 0.65 on 40.
  EXPECT_THAT(row(4, 1), ElementsAre("about 150", "a summary", "150 (tried 40, 150)", none, none));
  EXPECT_EQ(row(5, 1)[2], Cell("0.700 (ridge, 150 jobs)"));
  EXPECT_THAT(row(6, 1), ElementsAre(none, none, "0.970", none, none));
}

TEST(PaperNumbers, HaveTheGainOfTheFirstProblemThatCubicMLSearched) {
  const TemporaryFolder folder;
  const search::StudySet set = searches(folder.path());
  std::vector<SearchedProblem> problems = searched_problems(set, {}, {});
  ASSERT_EQ(problems.size(), 1U);
  for (SearchedSeries& series : problems[0].series) {
    for (StudyEnd& end : series.end.ends) {
      end.gain = series.end.name == "cubicml" ? 0.125 : 7.0;
    }
  }
  Document document{.title = ""};
  add_paper_numbers({.searches = problems}, document);
  const auto* const sentence = std::get_if<Paragraph>(&document.blocks[2].content);
  ASSERT_NE(sentence, nullptr);
  EXPECT_EQ(sentence->text,
            "CubicML\xE2\x80\x99s search gains +12.5 % over the baseline of made-up; the paper "
            "says +10.3 % over its own.");
  const auto* const table = std::get_if<Table>(&document.blocks[3].content);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows[0][3], Cell("+12.5 % (made-up, 1 seed, 12 launches)"));
}

}  // namespace
}  // namespace cubicbench::results
