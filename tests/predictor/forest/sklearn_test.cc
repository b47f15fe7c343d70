// Our forests against scikit-learn's, given one set of trees.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "predictor/forest/random_forest.h"

namespace cubicbench::predictor {
namespace {

struct StoredNode {
  bool leaf = true;
  std::uint32_t column = 0;
  double threshold = 0.0;
  std::size_t left = 0;
  std::size_t right = 0;
  double value = 0.0;
};

struct Asked {
  Levels levels;
  double mean = 0.0;
  double deviation = 0.0;
};

/// tests/predictor/forest/sklearn.txt, which scripts/model_cases.py wrote and explains.
struct Stored {
  std::vector<std::vector<StoredNode>> trees;
  std::vector<Asked> asked;
};

Stored stored() {
  Stored read;
  std::ifstream in(CUBICBENCH_SOURCE_DIR "/tests/predictor/forest/sklearn.txt");
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string name;
    line >> name;
    if (name == "asked") {
      Asked& asked = read.asked.emplace_back();
      for (int i = 0, level = 0; i < 4; ++i) {
        line >> level;
        asked.levels.push_back(static_cast<std::uint8_t>(level));
      }
      line >> asked.mean >> asked.deviation;
    } else if (name == "node" || name == "leaf") {
      std::size_t tree = 0;
      line >> tree;
      if (tree == read.trees.size()) read.trees.emplace_back();
      StoredNode node{.leaf = name == "leaf"};
      if (node.leaf) {
        line >> node.value;
      } else {
        line >> node.column >> node.threshold >> node.left >> node.right;
      }
      read.trees.at(tree).push_back(node);
    }
  }
  return read;
}

/// The same tree with the children of a node side by side.
RegressionTree tree_of(const std::vector<StoredNode>& from) {
  std::vector<TreeNode> nodes(1);
  std::deque<std::pair<std::size_t, std::size_t>> open{{0, 0}};
  for (; !open.empty(); open.pop_front()) {
    const auto [old_place, place] = open.front();
    const StoredNode& old = from[old_place];
    if (old.leaf) {
      nodes[place].value = old.value;
      continue;
    }
    const auto left = static_cast<std::uint32_t>(nodes.size());
    const auto last = static_cast<std::uint64_t>(std::floor(old.threshold));
    nodes[place] = {.left_levels = (std::uint64_t{2} << last) - 1,
                    .column = old.column,
                    .left = left,
                    .value = 0.0};
    nodes.resize(nodes.size() + 2);
    open.emplace_back(old.left, left);
    open.emplace_back(old.right, left + 1);
  }
  return RegressionTree(std::move(nodes));
}

TEST(RandomForest, SaysWhatScikitLearnSaysWithItsTrees) {
  const Stored read = stored();
  ASSERT_EQ(read.trees.size(), 6U);
  ASSERT_EQ(read.asked.size(), 30U);
  std::vector<RegressionTree> trees;
  for (const auto& tree : read.trees) trees.push_back(tree_of(tree));
  const RandomForest forest(std::move(trees));
  for (const Asked& asked : read.asked) {
    const Normal said = forest.at(asked.levels);
    EXPECT_NEAR(said.mean, asked.mean, 1e-12);
    EXPECT_NEAR(said.deviation, asked.deviation, 1e-12);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
