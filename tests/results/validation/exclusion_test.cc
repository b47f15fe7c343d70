#include "results/validation/exclusion.h"

#include <gtest/gtest.h>

#include <vector>

namespace cubicbench::results {
namespace {

using datasets::MeasurementQuality;
using datasets::MeasurementStatus;

TEST(Exclusion, AsksForStatusBeforeQuality) {
  struct Case {
    MeasurementStatus status;
    MeasurementQuality quality;
    Exclusion expected;
  };
  const WantedRows wanted;
  for (const Case& c :
       {Case{MeasurementStatus::ok, MeasurementQuality::ok, Exclusion::none},
        Case{MeasurementStatus::oom, MeasurementQuality::ok, Exclusion::none},
        Case{MeasurementStatus::ok, MeasurementQuality::early_pp, Exclusion::none},
        Case{MeasurementStatus::ok, MeasurementQuality::flag, Exclusion::flag},
        Case{MeasurementStatus::oom, MeasurementQuality::flag, Exclusion::flag},
        Case{MeasurementStatus::ok, MeasurementQuality::untuned, Exclusion::untuned},
        Case{MeasurementStatus::other, MeasurementQuality::flag, Exclusion::other},
        Case{MeasurementStatus::other, MeasurementQuality::ok, Exclusion::other},
        Case{MeasurementStatus::requirement, MeasurementQuality::untuned,
             Exclusion::requirement}}) {
    SCOPED_TRACE(static_cast<int>(c.status));
    SCOPED_TRACE(static_cast<int>(c.quality));
    datasets::Measurements table;
    table.rows.resize(1);
    table.rows[0].status = c.status;
    table.rows[0].quality = c.quality;
    EXPECT_EQ(exclusions_of(table, wanted), std::vector{c.expected});
  }
}

TEST(Exclusion, TakesQualitiesThatAreNamed) {
  WantedRows wanted;
  wanted.qualities.insert(MeasurementQuality::flag);
  datasets::Measurements table;
  table.rows.resize(3);
  table.rows[0].quality = MeasurementQuality::flag;
  table.rows[1].quality = MeasurementQuality::untuned;
  table.rows[2].quality = MeasurementQuality::flag;
  table.rows[2].status = MeasurementStatus::other;
  EXPECT_EQ(exclusions_of(table, wanted),
            (std::vector{Exclusion::none, Exclusion::untuned, Exclusion::other}));
}

datasets::CollectiveMeasurement timing(const char* placement, double size_bytes) {
  datasets::CollectiveMeasurement row;
  row.system = "s";
  row.collective = "all_reduce";
  row.n_gpus = 8;
  row.size_bytes = size_bytes;
  row.placement = placement;
  return row;
}

TEST(Exclusion, InPlaceIsADuplicateWhereTheSameWasMeasuredOutOfPlace) {
  datasets::CollectiveMeasurements table;
  table.rows = {timing("in_place", 4.0), timing("out_of_place", 4.0), timing("in_place", 8.0),
                timing("", 4.0), timing("in_place", 4.0)};
  table.rows[4].n_gpus = 16;
  EXPECT_EQ(exclusions_of(table, {}),
            (std::vector{Exclusion::duplicate, Exclusion::none, Exclusion::none, Exclusion::none,
                         Exclusion::none}));
}

TEST(Exclusion, ResultsThatWereCarriedOverAreDuplicates) {
  datasets::RecommendationMeasurements table;
  table.rows.resize(2);
  table.rows[1].repeat_of_round = "3.0";
  EXPECT_EQ(exclusions_of(table, {}), (std::vector{Exclusion::none, Exclusion::duplicate}));
}

TEST(Exclusion, IsCountedUnderItsName) {
  ExcludedRows counts;
  for (const Exclusion reason :
       {Exclusion::flag, Exclusion::flag, Exclusion::untuned, Exclusion::requirement,
        Exclusion::other, Exclusion::duplicate, Exclusion::duplicate, Exclusion::duplicate}) {
    count(reason, counts);
  }
  EXPECT_EQ(counts.flag, 2);
  EXPECT_EQ(counts.untuned, 1);
  EXPECT_EQ(counts.requirement, 1);
  EXPECT_EQ(counts.other, 1);
  EXPECT_EQ(counts.duplicate, 3);
}

}  // namespace
}  // namespace cubicbench::results
