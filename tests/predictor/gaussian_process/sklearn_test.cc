// Our Gaussian process against scikit-learn's, given one set of rows.
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "predictor/gaussian_process/gaussian_process.h"

namespace cubicbench::predictor {
namespace {

struct Row {
  Levels levels;
  std::vector<double> numbers;
};

/// tests/predictor/gaussian_process/sklearn.txt, which scripts/model_cases.py wrote and explains.
struct Stored {
  std::vector<KnobAxis> axes;
  std::vector<double> rates;
  double noise = 0.0;
  std::vector<Row> rows;
  std::vector<Row> asked;
};

Row row_of(std::istringstream& line, std::size_t knobs) {
  Row row;
  for (std::size_t i = 0; i < knobs; ++i) {
    int level = 0;
    line >> level;
    row.levels.push_back(static_cast<std::uint8_t>(level));
  }
  for (double number = 0.0; line >> number;) row.numbers.push_back(number);
  return row;
}

Stored stored() {
  Stored read;
  std::ifstream in(CUBICBENCH_SOURCE_DIR "/tests/predictor/gaussian_process/sklearn.txt");
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string name;
    line >> name;
    if (name == "axis") {
      std::string kind;
      line >> kind >> read.rates.emplace_back();
      KnobAxis axis{.places = {}, .labels = kind == "labels"};
      for (double place = 0.0; line >> place;) axis.places.push_back(place);
      read.axes.push_back(axis);
    } else if (name == "noise") {
      line >> read.noise;
    } else if (name == "row") {
      read.rows.push_back(row_of(line, read.axes.size()));
    } else if (name == "asked") {
      read.asked.push_back(row_of(line, read.axes.size()));
    }
  }
  return read;
}

TEST(GaussianProcess, HasThePosteriorOfScikitLearn) {
  const Stored read = stored();
  ASSERT_EQ(read.rows.size(), 40U);
  ASSERT_EQ(read.asked.size(), 30U);
  GaussianProcess process(ProductKernel(read.axes, read.rates), read.noise);
  std::vector<double> targets;
  for (const Row& row : read.rows) {
    process.add(row.levels);
    targets.push_back(row.numbers.at(0));
  }
  process.set_targets(targets);
  for (const Row& row : read.asked) {
    const Normal f = process.at(row.levels);
    EXPECT_NEAR(f.mean, row.numbers.at(0), 1e-8);
    EXPECT_NEAR(f.deviation, row.numbers.at(1), 1e-8);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
