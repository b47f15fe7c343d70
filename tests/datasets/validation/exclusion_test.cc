#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "datasets/catalog/measured_table.h"
#include "datasets/validation/validate_tables.h"

namespace cubicbench::datasets {
namespace {

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
    Measurements table;
    table.rows.resize(1);
    table.rows[0].status = c.status;
    table.rows[0].quality = c.quality;
    EXPECT_EQ(exclusions_of(table, wanted), std::vector{c.expected});
  }
}

TEST(Exclusion, TakesQualitiesThatAreNamed) {
  WantedRows wanted;
  wanted.qualities.insert(MeasurementQuality::flag);
  Measurements table;
  table.rows.resize(3);
  table.rows[0].quality = MeasurementQuality::flag;
  table.rows[1].quality = MeasurementQuality::untuned;
  table.rows[2].quality = MeasurementQuality::flag;
  table.rows[2].status = MeasurementStatus::other;
  EXPECT_EQ(exclusions_of(table, wanted),
            (std::vector{Exclusion::none, Exclusion::untuned, Exclusion::other}));
}

CollectiveMeasurement timing(const char* placement, double size_bytes) {
  CollectiveMeasurement row;
  row.system = "s";
  row.gpu = "H100";
  row.collective = "all_reduce";
  row.n_gpus = 8;
  row.size_bytes = size_bytes;
  row.placement = placement;
  return row;
}

TEST(Exclusion, InPlaceIsADuplicateWhereTheSameWasMeasuredOutOfPlace) {
  CollectiveMeasurements table;
  table.rows = {timing("in_place", 4.0), timing("out_of_place", 4.0), timing("in_place", 8.0),
                timing("", 4.0), timing("in_place", 4.0)};
  table.rows[4].n_gpus = 16;
  EXPECT_EQ(exclusions_of(table, {}),
            (std::vector{Exclusion::duplicate, Exclusion::none, Exclusion::none, Exclusion::none,
                         Exclusion::none}));
}

TEST(Exclusion, CollectivesOfNoNamedGpuAndBetweenExpertsAreNotWanted) {
  CollectiveMeasurements table;
  table.rows = {timing("", 4.0), timing("", 4.0), timing("out_of_place", 8.0),
                timing("in_place", 8.0)};
  table.rows[0].gpu = "";
  table.rows[1].collective = "moe_dispatch";
  table.rows[2].gpu = table.rows[3].gpu = "";
  EXPECT_EQ(exclusions_of(table, {}), (std::vector{Exclusion::unnamed, Exclusion::unnamed,
                                                   Exclusion::unnamed, Exclusion::duplicate}));
}

TEST(Exclusion, CollectivesThatTheirSourceSaysNotToUseAreFlagged) {
  CollectiveMeasurements table;
  table.rows = {timing("", 4.0), timing("", 8.0)};
  table.rows[1].notes = "a self-send: do not use";
  EXPECT_EQ(exclusions_of(table, {}), (std::vector{Exclusion::none, Exclusion::flag}));
  WantedRows wanted;
  wanted.qualities.insert(MeasurementQuality::flag);
  EXPECT_EQ(exclusions_of(table, wanted), (std::vector{Exclusion::none, Exclusion::none}));
}

TEST(Exclusion, WhatTellsTwoOperationsApart) {
  using Row = CollectiveMeasurement;
  struct Case {
    const char* name;
    void (*change)(Row&);
    Exclusion expected;
  };
  for (const Case& c :
       {Case{"source", [](Row& r) { r.source = "x"; }, Exclusion::none},
        Case{"system", [](Row& r) { r.system = "x"; }, Exclusion::none},
        Case{"collective", [](Row& r) { r.collective = "x"; }, Exclusion::none},
        Case{"n_gpus", [](Row& r) { r.n_gpus = 9; }, Exclusion::none},
        Case{"size_bytes", [](Row& r) { r.size_bytes = 9.0; }, Exclusion::none},
        Case{"dtype", [](Row& r) { r.dtype = "half"; }, Exclusion::none},
        Case{"nccl_version", [](Row& r) { r.nccl_version = "2.20"; }, Exclusion::none},
        Case{"sweep_id", [](Row& r) { r.sweep_id = "second"; }, Exclusion::none},
        Case{"groups", [](Row& r) { r.concurrent_groups = 2; }, Exclusion::none},
        Case{"time_us", [](Row& r) { r.time_us = 3.0; }, Exclusion::duplicate},
        Case{"algbw_gbps", [](Row& r) { r.algbw_gbps = 3.0; }, Exclusion::duplicate},
        Case{"interconnect", [](Row& r) { r.interconnect = "x"; }, Exclusion::duplicate},
        Case{"id", [](Row& r) { r.id = "x"; }, Exclusion::duplicate}}) {
    SCOPED_TRACE(c.name);
    CollectiveMeasurements table;
    table.rows = {timing("out_of_place", 4.0), timing("in_place", 4.0)};
    c.change(table.rows[1]);
    EXPECT_EQ(exclusions_of(table, {}), (std::vector{Exclusion::none, c.expected}));
  }
}

TEST(Exclusion, TheTablesThatShipRepeat979InPlace) {
  std::ptrdiff_t duplicates = 0;
  for (const char* name : {"nccl_tests_sweeps", "other_collective_points", "vtrain_allreduce_luts",
                           "xla_collective_tables"}) {
    for (const MeasuredTable& table : find_measured_tables(name, "test")) {
      const auto reasons = exclusions_of(std::get<CollectiveMeasurements>(table), WantedRows{});
      duplicates += std::ranges::count(reasons, Exclusion::duplicate);
    }
  }
  EXPECT_EQ(duplicates, 979);  // counted in the files: every row in place has its twin
}

TEST(Exclusion, ResultsThatWereCarriedOverAreDuplicates) {
  RecommendationMeasurements table;
  table.rows.resize(2);
  table.rows[1].repeat_of_round = "3.0";
  EXPECT_EQ(exclusions_of(table, {}), (std::vector{Exclusion::none, Exclusion::duplicate}));
}

TEST(Exclusion, ResultsThatContradictThemselvesAreFlagged) {
  RecommendationMeasurements table;
  table.rows.resize(2);
  table.rows[1].quality = "flag";
  EXPECT_EQ(exclusions_of(table, {}), (std::vector{Exclusion::none, Exclusion::flag}));
}

}  // namespace
}  // namespace cubicbench::datasets
