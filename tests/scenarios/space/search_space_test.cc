#include "scenarios/space/search_space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::scenarios {
namespace {

using Values = std::vector<std::int64_t>;

/// Codes of values as the command line writes them.
Values codes(std::string_view name, const std::vector<std::string_view>& texts) {
  Values values;
  for (const std::string_view text : texts) {
    values.push_back(parse_setting(*find_setting(name), text).value());
  }
  return values;
}

ParameterSpec ordinal(const char* name, Values values, std::vector<ConditionSpec> when = {}) {
  return {.name = name,
          .type = ParameterType::ordinal,
          .values = std::move(values),
          .when = std::move(when)};
}

SearchSpace built(const std::vector<ParameterSpec>& parameters,
                  const std::vector<ConstraintSpec>& constraints = {}, const sim::Plan& base = {},
                  const SpaceFacts& facts = {}) {
  BuiltSpace result = SearchSpace::build(parameters, constraints, base, facts);
  for (const SpaceProblem& problem : result.problems) {
    ADD_FAILURE() << problem.pointer << ": " << problem.text;
  }
  return std::move(result.space);
}

/// The space of the contract's example.
std::vector<ParameterSpec> llama_parameters() {
  return {ordinal("tensor_parallel", {1, 2, 4, 8}),
          ordinal("pipeline_parallel", {1, 2, 4, 8, 16}),
          ordinal("micro_batch", powers_of_two(1, 8)),
          ordinal("schedule", codes("schedule", {"1f1b", "interleaved"}),
                  {{"pipeline_parallel", {2, 4, 8, 16}}}),
          ordinal("virtual_stages", stepped_values(2, 8, 1),
                  {{"schedule", codes("schedule", {"interleaved"})}}),
          ordinal("async_tensor_parallel", {0, 1})};
}
const std::vector<ConstraintSpec> llama_constraints{
    {"batch divides", "global_batch % (data_parallel * micro_batch) == 0"}};
const sim::Plan llama_base{.global_batch = 2048};
const SpaceFacts llama_facts{
    .gpus = 16384, .layers = 126, .sequence = 8192, .attention_heads = 128, .kv_heads = 8};

SearchSpace llama() {
  return built(llama_parameters(), llama_constraints, llama_base, llama_facts);
}

/// Every tuple that `contains` accepts, without the diagram.
std::set<Configuration> enumerated(const SearchSpace& space) {
  std::set<Configuration> found;
  Configuration tuple(space.size(), inactive);
  while (true) {
    if (space.contains(tuple)) found.insert(tuple);
    std::size_t i = 0;
    for (; i < space.size(); ++i) {
      if (++tuple[i] < static_cast<std::int64_t>(space.parameters()[i].values.size())) break;
      tuple[i] = inactive;
    }
    if (i == space.size()) return found;
  }
}

TEST(SearchSpace, WithoutParametersIsTheBasePlan) {
  EXPECT_EQ(SearchSpace().count(), 1U);
  EXPECT_EQ(SearchSpace().size(), 0U);
  EXPECT_TRUE(SearchSpace().contains({}));
  EXPECT_TRUE(SearchSpace().from_plan({}).in_space());
  EXPECT_EQ(built({}, {{"no", "gpus == 2"}}).count(), 0U);
  EXPECT_EQ(built({}, {{"yes", "gpus == 1"}}).count(), 1U);
}

TEST(SearchSpace, CountsConditionsByHand) {
  // pipeline 1: no schedule; 2 or 4: 1f1b, or interleaved with 2 or 3 chunks.
  const SearchSpace space =
      built({ordinal("pipeline_parallel", {1, 2, 4}),
             ordinal("schedule", codes("schedule", {"1f1b", "interleaved"}),
                     {{"pipeline_parallel", {2, 4}}}),
             ordinal("virtual_stages", {2, 3}, {{"schedule", codes("schedule", {"interleaved"})}}),
             ordinal("compile", {0, 1})});
  EXPECT_EQ(space.count(), (1U + 2U * (1U + 2U)) * 2U);
}

TEST(SearchSpace, CountsTheExampleOfTheContractByHand) {
  // data_parallel * micro_batch = 16384 / (t p) * m divides 2048 exactly if t p >= 8 m. All are
  // powers of two: t = 2^a, a <= 3; p = 2^b, b <= 4; m = 2^c, c <= 3; c <= a + b - 3. With b = 0
  // only a = 3, c = 0 remains, and there is no schedule; else 1 + 7 schedules.
  std::uint64_t expected = 0;
  for (int a = 0; a <= 3; ++a) {
    for (int b = 0; b <= 4; ++b) {
      for (int c = 0; c <= 3; ++c) {
        if (c <= a + b - 3) expected += b == 0 ? 1 : 8;
      }
    }
  }
  const SearchSpace space = llama();
  EXPECT_EQ(space.count(), 2 * expected);
  EXPECT_EQ(enumerated(space).size(), 2 * expected);
}

TEST(SearchSpace, MultipliesIndependentParameters) {
  std::vector<ParameterSpec> parameters = llama_parameters();
  const SearchSpace small = llama();
  parameters.push_back(ordinal("wrap", stepped_values(1, 1000, 1)));
  parameters.push_back(ordinal("shard_group", stepped_values(0, 999, 1)));
  parameters.push_back(ordinal("forward_prefetch", {0, 1}));
  parameters.push_back(ordinal("limit_all_gathers", {0, 1}));
  const SearchSpace large = built(parameters, llama_constraints, llama_base, llama_facts);
  EXPECT_EQ(large.count(), small.count() * 4'000'000U);
}

TEST(SearchSpace, MakesConstraintsThatJoinEverythingExact) {
  // Numbers a, b, c, d in [1, 20] with a + b + c + d == 40: coefficient of x^36 in
  // ((1 - x^20) / (1 - x))^4 = C(39, 3) - 4 C(19, 3) = 9139 - 3876.
  const Values values = stepped_values(1, 20, 1);
  const SearchSpace space =
      built({ordinal("wrap", values), ordinal("micro_batch", values),
             ordinal("tensor_parallel", values), ordinal("expert_parallel", values)},
            {{"sum", "wrap + micro_batch + tensor_parallel + expert_parallel == 40"}});
  EXPECT_EQ(space.count(), 9139U - 3876U);
}

TEST(SearchSpace, DerivesDataParallelUnlessItIsStated) {
  const SpaceFacts facts{.gpus = 24};
  const std::vector<ParameterSpec> tensor{ordinal("tensor_parallel", {1, 2, 3, 4, 5, 16})};
  // 24 / 2, and 0 where tensor parallelism does not divide 24.
  EXPECT_EQ(built(tensor, {{"c", "data_parallel == 12"}}, {}, facts).count(), 1U);
  EXPECT_EQ(built(tensor, {{"c", "data_parallel == 0"}}, {}, facts).count(), 2U);
  EXPECT_EQ(built(tensor, {{"c", "24 % data_parallel == 0"}}, {}, facts).count(), 4U);
  EXPECT_EQ(built(tensor, {{"c", "data_parallel == 6"}}, {.data_parallel = 6}, facts).count(), 6U);
  auto with_data = tensor;
  with_data.push_back(ordinal("data_parallel", {6, 8, 12}));
  EXPECT_EQ(built(with_data, {{"c", "data_parallel * tensor_parallel == gpus"}}, {}, facts).count(),
            3U);
}

TEST(SearchSpace, ReadsTheGpuCountThatAParameterSays) {
  const SpaceFacts facts{.gpus = 32, .gpus_per_node = 8};
  std::vector<ParameterSpec> parameters{ordinal("gpus", {8, 16, 24}),
                                        ordinal("tensor_parallel", {1, 2, 3, 4})};
  // (8, 2) and (16, 4); 24 would take 6 of tensor.
  EXPECT_EQ(built(parameters, {{"c", "data_parallel == 4"}}, {}, facts).count(), 2U);
  // 3 divides 24 alone, the others all three.
  EXPECT_EQ(built(parameters, {{"c", "gpus % tensor_parallel == 0"}}, {}, facts).count(), 10U);
  // All 32 GPUs where the parameter is inactive.
  parameters = {ordinal("tensor_parallel", {1, 8}),
                ordinal("gpus", {8, 16, 24}, {{"tensor_parallel", {1}}})};
  EXPECT_EQ(built(parameters, {{"c", "gpus < 32"}}, {}, facts).count(), 3U);
  EXPECT_EQ(built(parameters, {{"c", "data_parallel == 4 and gpus == 32"}}, {}, facts).count(), 1U);
  const SearchSpace space = built(parameters, {}, {}, facts);
  sim::Plan plan;
  space.apply(Configuration{1, inactive}, plan);
  EXPECT_EQ(plan.gpus, 0);
  space.apply(Configuration{0, 2}, plan);
  EXPECT_EQ(plan.gpus, 24);
  EXPECT_EQ(space.from_plan(plan).configuration, (Configuration{0, 2}));
}

TEST(SearchSpace, TakesAPlanOnAllGpusWhereTheirCountIsNoParameter) {
  const SearchSpace space = built({ordinal("tensor_parallel", {1, 2})}, {}, {}, {.gpus = 32});
  EXPECT_TRUE(space.from_plan({.tensor_parallel = 2}).in_space());
  EXPECT_TRUE(space.from_plan({.gpus = 32, .tensor_parallel = 2}).in_space());
  EXPECT_FALSE(space.from_plan({.gpus = 16, .tensor_parallel = 2}).in_space());
}

TEST(SearchSpace, GivesInactiveParametersTheBasePlansValueInConstraints) {
  const std::vector<ParameterSpec> parameters{
      ordinal("pipeline_parallel", {1, 2}),
      ordinal("virtual_stages", {2, 3}, {{"pipeline_parallel", {2}}})};
  EXPECT_EQ(built(parameters, {{"c", "virtual_stages == 7"}}, {.virtual_stages = 7}).count(), 1U);
  EXPECT_EQ(built(parameters, {{"c", "virtual_stages == 2"}}, {.virtual_stages = 7}).count(), 1U);
  EXPECT_EQ(built(parameters, {{"c", "virtual_stages != 2"}}, {.virtual_stages = 7}).count(), 2U);
}

TEST(SearchSpace, NumbersEachConfigurationOnce) {
  const SearchSpace space = llama();
  std::set<Configuration> seen;
  Configuration configuration(space.size());
  for (std::uint64_t number = 0; number < space.count(); ++number) {
    space.configuration_at(number, configuration);
    EXPECT_TRUE(space.contains(configuration)) << number;
    EXPECT_EQ(space.number_of(configuration), number);
    seen.insert(configuration);
  }
  EXPECT_EQ(seen, enumerated(space));
}

/// Small random spaces: chained conditions, constraints over several parameters.
class RandomSpace {
 public:
  explicit RandomSpace(std::uint64_t seed) : seed_(seed) {
    const char* const names[] = {
        "tensor_parallel", "pipeline_parallel", "context_parallel", "micro_batch", "wrap",
        "virtual_stages"};
    const std::size_t size = 1 + below(6);
    for (std::size_t i = 0; i < size; ++i) {
      ParameterSpec spec = ordinal(names[i], stepped_values(1, 1 + draw(4), 1));
      if (i > 0 && below(2) == 0) spec.when.push_back(condition(below(i)));
      if (i > 0 && below(4) == 0) {
        const std::size_t parent = below(i);
        if (spec.when.empty() || spec.when.front().name != names[parent]) {
          spec.when.push_back(condition(parent));
        }
      }
      parameters.push_back(std::move(spec));
    }
    for (const char* const text :
         {"global_batch % (data_parallel * micro_batch) == 0",
          "tensor_parallel * context_parallel <= 6", "layers % (pipeline_parallel * wrap) == 0",
          "virtual_stages != tensor_parallel or wrap == 1", "not (micro_batch == wrap)"}) {
      if (below(3) == 0) constraints.push_back({.name = text, .require = text});
    }
  }

  std::vector<ParameterSpec> parameters;
  std::vector<ConstraintSpec> constraints;

 private:
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(sim::uniform_below(
        {.seed = seed_, .purpose = sim::Purpose::test, .entity = 0, .draw = draw_++}, n));
  }
  std::int64_t draw(std::size_t n) { return static_cast<std::int64_t>(below(n)); }

  ConditionSpec condition(std::size_t parent) {
    ConditionSpec spec{.name = parameters[parent].name, .values = {}};
    for (const std::int64_t value : parameters[parent].values) {
      if (below(2) == 0) spec.values.push_back(value);
    }
    if (spec.values.empty()) spec.values.push_back(parameters[parent].values.front());
    return spec;
  }

  std::uint64_t seed_;
  std::uint32_t draw_ = 0;
};

TEST(SearchSpace, CountAndNumbersAgreeWithEnumerationOnRandomSpaces) {
  int with_rejections = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const RandomSpace random(seed);
    const SearchSpace space = built(random.parameters, random.constraints, {.global_batch = 24},
                                    {.gpus = 24, .layers = 12});
    const std::set<Configuration> expected = enumerated(space);
    ASSERT_EQ(space.count(), expected.size());
    if (space.count() < built(random.parameters).count()) ++with_rejections;
    Configuration configuration(space.size());
    std::set<Configuration> seen;
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      space.configuration_at(number, configuration);
      ASSERT_EQ(space.number_of(configuration), number);
      seen.insert(configuration);
    }
    EXPECT_EQ(seen, expected);
  }
  EXPECT_GT(with_rejections, 100);
}

TEST(SearchSpace, SamplesUniformly) {
  // Branches of unequal size: drawing parameter by parameter would not be uniform.
  const SearchSpace space =
      built({ordinal("pipeline_parallel", {1, 2, 4}),
             ordinal("virtual_stages", {2, 3, 4}, {{"pipeline_parallel", {4}}}),
             ordinal("compile", {0, 1}), ordinal("wrap", {1, 2}, {{"compile", {1}}})},
            {{"c", "pipeline_parallel * wrap != 2 or compile == 0"}});
  const std::uint64_t cells = space.count();
  ASSERT_EQ(cells, enumerated(space).size());
  ASSERT_GT(cells, 8U);
  constexpr std::uint64_t draws = 20'000;
  std::vector<double> hits(static_cast<std::size_t>(cells), 0.0);
  Configuration configuration(space.size());
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    space.sample(7, draw, configuration);
    ASSERT_TRUE(space.contains(configuration));
    hits[static_cast<std::size_t>(space.number_of(configuration))] += 1.0;
  }
  const double mean = static_cast<double>(draws) / static_cast<double>(cells);
  double chi_square = 0.0;
  for (const double hit : hits) chi_square += (hit - mean) * (hit - mean) / mean;
  // Mean k, variance 2 k for k degrees of freedom: five deviations either way.
  const auto freedom = static_cast<double>(cells - 1);
  EXPECT_LT(chi_square, freedom + 5.0 * std::sqrt(2.0 * freedom));
  EXPECT_GT(chi_square, 0.0);
}

TEST(SearchSpace, DrawsArePureFunctionsOfSeedAndNumber) {
  const SearchSpace space = llama();
  const SearchSpace copy = space;
  Configuration first(space.size());
  Configuration second(space.size());
  int different = 0;
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    space.sample(1, draw, first);
    copy.sample(1, draw, second);
    EXPECT_EQ(first, second);
    copy.sample(2, draw, second);
    different += first != second ? 1 : 0;
  }
  EXPECT_GT(different, 40);
}

TEST(SearchSpace, ContainsOnlyCanonicalTuples) {
  const SearchSpace space = llama();
  //                        tensor 8, pipeline 16, micro 1, interleaved, 4 chunks, no async
  const Configuration good{3, 4, 0, 1, 2, 0};
  EXPECT_TRUE(space.contains(good));
  const auto with = [&](std::size_t i, std::int64_t index) {
    Configuration changed = good;
    changed[i] = index;
    return changed;
  };
  EXPECT_FALSE(space.contains(with(0, 4)));  // no such value
  EXPECT_FALSE(space.contains(with(0, -2)));
  EXPECT_FALSE(space.contains(with(0, inactive)));  // always active
  EXPECT_FALSE(space.contains(with(4, inactive)));  // active under interleaved
  EXPECT_FALSE(space.contains(with(3, 0)));         // 1f1b has no chunks
  EXPECT_TRUE(space.contains(with(0, 0)));          // data_parallel 1024 divides the batch
  EXPECT_FALSE(space.contains(Configuration{3, 4, 0, 1, 2}));
  EXPECT_FALSE(space.contains(Configuration{0, 0, 0, -1, -1, 0}));  // batch divides
  EXPECT_EQ(space.first_violated(Configuration{0, 0, 0, -1, -1, 0}), 0);
  EXPECT_EQ(space.first_violated(good), -1);
}

TEST(SearchSpace, CanonicaliseMarksAndFills) {
  const SearchSpace space = llama();
  Configuration configuration{3, 0, 0, 1, 2, 0};
  space.canonicalise(configuration);
  EXPECT_EQ(configuration, (Configuration{3, 0, 0, -1, -1, 0}));
  configuration = {3, 4, 0, 1, -1, 0};
  space.canonicalise(configuration);
  EXPECT_EQ(configuration, (Configuration{3, 4, 0, 1, 0, 0}));
}

TEST(SearchSpace, AppliesActiveParametersOnTopOfTheBasePlan) {
  const SearchSpace space = llama();
  sim::Plan plan{.micro_batch = 77, .compile = true};
  space.apply(Configuration{3, 4, 1, 1, 2, 1}, plan);
  EXPECT_EQ(plan, (sim::Plan{.tensor_parallel = 8,
                             .async_tensor_parallel = true,
                             .pipeline_parallel = 16,
                             .schedule = sim::Schedule::interleaved,
                             .virtual_stages = 4,
                             .global_batch = 2048,
                             .micro_batch = 2}));
  space.apply(Configuration{3, 0, 0, -1, -1, 0}, plan);
  EXPECT_EQ(plan, (sim::Plan{.tensor_parallel = 8, .global_batch = 2048}));
}

TEST(SearchSpace, AssignmentsAndPlansGoThereAndBack) {
  const SearchSpace space = llama();
  Configuration configuration(space.size());
  sim::Plan plan;
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    space.sample(3, draw, configuration);
    const Placement by_value = space.from_assignment(space.to_assignment(configuration));
    EXPECT_TRUE(by_value.in_space());
    EXPECT_EQ(by_value.configuration, configuration);
    space.apply(configuration, plan);
    EXPECT_TRUE(space.from_plan(plan).in_space());
    EXPECT_EQ(space.from_plan(plan).configuration, configuration);
  }
}

TEST(SearchSpace, ListsActiveParametersInOrder) {
  const SearchSpace space = llama();
  const auto listed = space.to_assignment(Configuration{3, 0, 1, -1, -1, 1});
  EXPECT_EQ(listed, (std::vector<Assignment>{{find_setting("tensor_parallel"), 8},
                                             {find_setting("pipeline_parallel"), 1},
                                             {find_setting("micro_batch"), 2},
                                             {find_setting("async_tensor_parallel"), 1}}));
  EXPECT_EQ(space.find("micro_batch"), 2);
  EXPECT_EQ(space.find("wrap"), -1);
  EXPECT_EQ(space.index_of_value(2, 8), 3);
  EXPECT_EQ(space.index_of_value(2, 3), -1);
}

TEST(SearchSpace, SaysWhyAnAssignmentIsNotInTheSpace) {
  using Given = std::vector<std::pair<const char*, const char*>>;
  struct Case {
    const char* name;
    Given given;
    std::vector<SpaceProblem> problems;
  };
  const SearchSpace space = llama();
  const Given good{{"tensor_parallel", "8"},
                   {"pipeline_parallel", "16"},
                   {"micro_batch", "1"},
                   {"schedule", "1f1b"},
                   {"async_tensor_parallel", "false"}};
  const auto with = [&](const char* name, const char* value) {
    Given changed = good;
    changed.emplace_back(name, value);
    return changed;
  };
  for (const Case& c :
       {Case{"inactive parameters may be absent", good, {}},
        Case{"or present", with("virtual_stages", "5"), {}},
        Case{"a fixed setting with its value", with("global_batch", "2048"), {}},
        Case{"the derived data_parallel", with("data_parallel", "128"), {}},
        Case{"another data_parallel",
             with("data_parallel", "64"),
             {{"/data_parallel", "expected 128, which is no parameter of the space, got 64"}}},
        Case{"a fixed setting with another",
             with("global_batch", "4096"),
             {{"/global_batch", "expected 2048, which is no parameter of the space, got 4096"}}},
        Case{"no such value",
             with("tensor_parallel", "3"),
             {{"/tensor_parallel", "expected one of 1, 2, 4, 8, got 3"}}},
        Case{"a choice",
             with("schedule", "gpipe"),
             {{"/schedule", "expected one of 1f1b, interleaved, got gpipe"}}},
        Case{"an active one is absent",
             with("schedule", "interleaved"),
             {{"/virtual_stages", "expected one of 2, 3, 4, 5, 6, 7, 8, got nothing"}}},
        Case{"a schedule without a pipeline is ignored", with("pipeline_parallel", "1"), {}},
        Case{"a constraint rejects",
             {{"tensor_parallel", "1"},
              {"pipeline_parallel", "1"},
              {"micro_batch", "1"},
              {"async_tensor_parallel", "true"}},
             {{"",
               "expected a configuration with global_batch % (data_parallel * micro_batch) == 0 "
               "(constraint \"batch divides\")"}}}}) {
    SCOPED_TRACE(c.name);
    std::vector<Assignment> assignment;
    for (const auto& [name, value] : c.given) {
      assignment.push_back({.setting = find_setting(name),
                            .value = parse_setting(*find_setting(name), value).value()});
    }
    const Placement placement = space.from_assignment(assignment);
    EXPECT_EQ(placement.problems, c.problems);
    EXPECT_TRUE(!placement.in_space() || space.contains(placement.configuration));
  }
}

TEST(SearchSpace, NamesWhatCannotBeBuilt) {
  struct Case {
    const char* name;
    std::vector<ParameterSpec> parameters;
    std::vector<ConstraintSpec> constraints;
    SpaceProblem problem;
  };
  const ParameterSpec tensor = ordinal("tensor_parallel", {1, 2});
  for (const Case& c :
       {Case{"unknown setting",
             {ordinal("tensor_paralel", {})},
             {},
             {"/parameters/0/name",
              "unknown setting \"tensor_paralel\"; did you mean \"tensor_parallel\"?"}},
        Case{"twice",
             {tensor, ordinal("wrap", {1}), tensor},
             {},
             {"/parameters/2/name", "\"tensor_parallel\" is the name of /parameters/0 already"}},
        Case{"no value",
             {ordinal("wrap", {})},
             {},
             {"/parameters/0/values", "expected at least one value"}},
        Case{"a value twice",
             {ordinal("offload", {0, 3, 0})},
             {},
             {"/parameters/0/values", "none is listed twice"}},
        Case{"a value out of range",
             {ordinal("tensor_parallel", {0, 1})},
             {},
             {"/parameters/0/values", "expected an integer in [1, 16384], got 0"}},
        Case{"unknown parent",
             {tensor, ordinal("wrap", {1}, {{"tensor_paralel", {1}}})},
             {},
             {"/parameters/1/when/tensor_paralel",
              "no parameter of this space; did you mean \"tensor_parallel\"?"}},
        Case{"parent with awkward name",
             {ordinal("wrap", {1}, {{"a/b~c", {}}})},
             {},
             {"/parameters/0/when/a~1b~0c", "no parameter of this space"}},
        Case{"later parent",
             {ordinal("wrap", {1}, {{"tensor_parallel", {1}}}), tensor},
             {},
             {"/parameters/0/when/tensor_parallel",
              "expected a parameter that is listed before \"wrap\""}},
        Case{"own parent",
             {ordinal("wrap", {1}, {{"wrap", {1}}})},
             {},
             {"/parameters/0/when/wrap", "expected a parameter that is listed before \"wrap\""}},
        Case{"condition without value",
             {tensor, ordinal("wrap", {1}, {{"tensor_parallel", {}}})},
             {},
             {"/parameters/1/when/tensor_parallel", "expected at least one value"}},
        Case{"condition that cannot hold",
             {tensor, ordinal("wrap", {1}, {{"tensor_parallel", {4}}})},
             {},
             {"/parameters/1/when/tensor_parallel", "4 is no value of \"tensor_parallel\""}},
        Case{"unknown name in a constraint",
             {tensor},
             {{"c", "data_paralel > 1"}},
             {"/constraints/0/require",
              "column 1: unknown name \"data_paralel\"; did you mean \"data_parallel\"?"}},
        Case{"constraints of one name",
             {tensor},
             {{"c", "gpus > 1"}, {"c", "gpus > 2"}},
             {"/constraints/1/name", "\"c\" is the name of another constraint already"}},
        Case{"too much joined",
             {ordinal("wrap", stepped_values(1, 3000, 1)),
              ordinal("micro_batch", stepped_values(1, 3000, 1))},
             {{"c", "wrap * micro_batch > 0"}},
             {"/constraints",
              "expected conditions and constraints that join fewer parameters: more than 1048576 "
              "partial assignments"}},
        Case{"too large",
             {ordinal("wrap", stepped_values(1, 16384, 1)),
              ordinal("tensor_parallel", stepped_values(1, 16384, 1)),
              ordinal("context_parallel", stepped_values(1, 16384, 1)),
              ordinal("expert_parallel", stepped_values(1, 16384, 1)),
              ordinal("micro_batch", stepped_values(1, 256, 1))},
             {},
             {"/parameters", "expected fewer than 2^64 configurations"}}}) {
    SCOPED_TRACE(c.name);
    const BuiltSpace result = SearchSpace::build(c.parameters, c.constraints, {}, {});
    EXPECT_EQ(result.problems, std::vector<SpaceProblem>{c.problem});
  }
}

constexpr std::uint64_t half = std::uint64_t{1} << 63;

TEST(SearchSpace, MapsTheUnitCubeInProportionToCounts) {
  // pipeline 1 has one configuration; 2 has three, two of them interleaved. So pipeline 1 owns
  // [0, 1/4) of its coordinate, and 1f1b [0, 1/3) of that of the schedule.
  const SearchSpace space = built(
      {ordinal("pipeline_parallel", {1, 2}),
       ordinal("schedule", codes("schedule", {"1f1b", "interleaved"}),
               {{"pipeline_parallel", {2}}}),
       ordinal("virtual_stages", {2, 3}, {{"schedule", codes("schedule", {"interleaved"})}})});
  constexpr std::uint64_t quarter = half / 2;
  constexpr std::uint64_t third = ~std::uint64_t{0} / 3;  // a third of 2^64, rounded down
  constexpr std::uint64_t last = ~std::uint64_t{0};
  struct Case {
    std::vector<std::uint64_t> coordinates;
    Configuration expected;
  };
  for (const Case& c :
       {Case{{0, 0, 0}, {0, inactive, inactive}},
        Case{{quarter - 1, last, last}, {0, inactive, inactive}},
        Case{{quarter, 0, last}, {1, 0, inactive}}, Case{{last, third, 0}, {1, 0, inactive}},
        Case{{last, third + 1, half - 1}, {1, 1, 0}}, Case{{quarter, last, half}, {1, 1, 1}},
        Case{{last, last, last}, {1, 1, 1}}}) {
    Configuration configuration(space.size());
    space.configuration_along(c.coordinates, configuration);
    EXPECT_EQ(configuration, c.expected);
  }
}

TEST(SearchSpace, MapsUniformPointsToUniformConfigurations) {
  const SearchSpace space = llama();
  constexpr int draws = 200'000;
  std::vector<int> times(space.count());
  Configuration configuration(space.size());
  std::vector<std::uint64_t> point(space.size());
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    for (std::uint32_t i = 0; i < point.size(); ++i) {
      point[i] = sim::random_words({.seed = 2, .entity = draw, .draw = i}).first;
    }
    space.configuration_along(point, configuration);
    ASSERT_TRUE(space.contains(configuration));
    ++times[space.number_of(configuration)];
  }
  const double expected = draws / static_cast<double>(space.count());
  double chi_square = 0.0;
  for (const int observed : times) {
    chi_square += (observed - expected) * (observed - expected) / expected;
  }
  // Mean and variance of chi-square are n - 1 and 2 (n - 1): within five standard deviations.
  const auto freedom = static_cast<double>(space.count() - 1);
  EXPECT_NEAR(chi_square, freedom, 5.0 * std::sqrt(2.0 * freedom));
}

TEST(SearchSpace, MapsThePointOfAnyCountExactly) {
  // floor(coordinate / 2^64 x 65,536^3): the top 16 bits of each of three coordinates.
  const Values many = stepped_values(1, 65'536, 1);
  const SearchSpace space = built(
      {ordinal("global_batch", many), ordinal("micro_batch", many), ordinal("shard_group", many)});
  Configuration configuration(space.size());
  space.configuration_along(std::vector<std::uint64_t>{0x1234'ffff'ffff'ffff, 0xffff'0000'0000'0000,
                                                       0x0001'8000'0000'0001},
                            configuration);
  EXPECT_EQ(configuration, (Configuration{0x1234, 0xffff, 0x0001}));
}

}  // namespace
}  // namespace cubicbench::scenarios
