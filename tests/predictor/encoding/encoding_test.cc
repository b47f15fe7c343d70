#include "predictor/encoding/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cubicbench::predictor {
namespace {

using datasets::ColumnKind;
using datasets::Dataset;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsNan;
using Jobs = std::vector<std::size_t>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Dataset table(std::vector<datasets::Column> columns, std::vector<double> cells) {
  Dataset data;
  data.jobs.resize(cells.size() / columns.size());
  data.columns = std::move(columns);
  data.cells = std::move(cells);
  return data;
}

const std::vector<datasets::Column> number{{.name = "x"}};
const std::vector<datasets::Column> category{
    {.name = "c", .kind = ColumnKind::category, .levels = {"a", "b", "c"}}};

// Of 1 and 5 the mean is 3 and the population's standard deviation 2.
TEST(Encoding, StandardisesByTheTrainingJobs) {
  const Dataset data = table(number, {1, 5, 7, nan});
  const Encoding encoding(data, Jobs{0, 1}, EncodingForm::standardised);
  EXPECT_EQ(encoding.columns(), 1U);
  EXPECT_THAT(encoding.encode(data, Jobs{0, 1, 2, 3}).cells, ElementsAre(-1, 1, 2, 0));
}

TEST(Encoding, LimitsWhatIsFarFromTheTrainingJobs) {
  const Dataset data = table(number, {1, 5, 1e9, -1e9});
  const Encoding encoding(data, Jobs{0, 1}, EncodingForm::standardised);
  EXPECT_THAT(encoding.encode(data, Jobs{2, 3}).cells, ElementsAre(4, -4));
}

TEST(Encoding, MarksWhatIsUnknown) {
  const Dataset data = table(number, {1, 5, nan, nan});
  const Encoding encoding(data, Jobs{0, 1, 2, 3}, EncodingForm::standardised);
  EXPECT_EQ(encoding.columns(), 2U);
  EXPECT_THAT(encoding.encode(data, Jobs{1, 2}).cells, ElementsAre(1, -1, 0, 1));
}

TEST(Encoding, LeavesOutWhatDoesNotVary) {
  const Dataset data = table(number, {4, 4, 5});
  EXPECT_EQ(Encoding(data, Jobs{0, 1}, EncodingForm::standardised).columns(), 0U);
  EXPECT_EQ(Encoding(data, Jobs{0, 1}, EncodingForm::raw).columns(), 0U);
  EXPECT_EQ(Encoding(data, Jobs{0, 1, 2}, EncodingForm::raw).columns(), 1U);
  const Dataset unknown = table(number, {nan, nan});
  EXPECT_EQ(Encoding(unknown, Jobs{0, 1}, EncodingForm::raw).columns(), 0U);
}

TEST(Encoding, TreesSeeNumbersAsTheyAre) {
  const Dataset data = table(number, {1, nan, 7, 9});
  const Encoding encoding(data, Jobs{0, 1, 2}, EncodingForm::raw);
  EXPECT_THAT(encoding.encode(data, Jobs{0, 1, 2}).cells, ElementsAre(1, IsNan(), 7));
  EXPECT_THAT(encoding.encode(data, Jobs{3}).cells, ElementsAre(7));       // no further than seen
  EXPECT_EQ(Encoding(data, Jobs{0, 1}, EncodingForm::raw).columns(), 1U);  // known or not
}

TEST(Encoding, CategoriesBecomeOneFeatureALevel) {
  const Dataset data = table(category, {0, 1, 2, nan});
  const Encoding three(data, Jobs{0, 1, 2}, EncodingForm::raw);
  EXPECT_THAT(three.encode(data, Jobs{1, 3}).cells, ElementsAre(0, 1, 0, 0, 0, 0));
  const Encoding two(data, Jobs{0, 2}, EncodingForm::raw);  // the level that nobody has is neither
  EXPECT_THAT(two.encode(data, Jobs{0, 1, 2}).cells, ElementsAre(0, 0, 1));
  EXPECT_EQ(Encoding(data, Jobs{1}, EncodingForm::raw).columns(), 0U);
  const Encoding one_or_unknown(data, Jobs{0, 3}, EncodingForm::raw);
  EXPECT_THAT(one_or_unknown.encode(data, Jobs{0, 3}).cells, ElementsAre(1, 0));
}

TEST(Encoding, StandardisesCategoriesToo) {
  const Dataset data = table(category, {0, 0, 0, 2});  // shares 3/4 and 1/4: deviation sqrt(3) / 4
  const Encoding encoding(data, Jobs{0, 1, 2, 3}, EncodingForm::standardised);
  EXPECT_THAT(
      encoding.encode(data, Jobs{0, 3}).cells,
      ElementsAre(DoubleNear(-1.0 / std::sqrt(3.0), 1e-15), DoubleNear(std::sqrt(3.0), 1e-15)));
}

}  // namespace
}  // namespace cubicbench::predictor
