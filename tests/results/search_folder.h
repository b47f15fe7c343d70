#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scenarios/canonical.h"

namespace cubicbench::results {

/// One launch of a hand-written journal.
struct WrittenLaunch {
  double value = 0.0;       ///< 0: it failed
  std::string reason = "";  ///< why
  double cost = 1.0;
  double truth = 0.0;  ///< 0: unknown
};

struct WrittenStudy {
  std::string scenario = "made-up";
  std::string searcher = "random";
  int instance = 0;
  int seed = 0;
  int trials = 0;  ///< 0: as many as there are launches
  std::string truth_sha256 = "7777";
  std::string scenario_sha256 = "5555";
  std::vector<WrittenLaunch> launches;
};

/// A folder that is gone with its scope.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name)
      : path_(std::filesystem::path(CUBICBENCH_BINARY_DIR) / "scratch" / name) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string header_line(const WrittenStudy& study, const std::string& kind) {
  const auto text = [](const std::string& value) { return scenarios::quoted(value); };
  const std::size_t trials =
      study.trials > 0 ? static_cast<std::size_t>(study.trials) : study.launches.size();
  std::string line = R"({"schema":"cubicbench.)" + kind + R"(/1","version":"0.1.0","scenario":)" +
                     text(study.scenario) + R"(,"scenario_sha256":)" + text(study.scenario_sha256) +
                     R"(,"truth_sha256":)" + text(study.truth_sha256) + R"(,"instance":)" +
                     std::to_string(study.instance);
  if (kind == "truth") return line + "}\n";
  return line + R"(,"searcher":)" + text(study.searcher) +
         R"(,"options":{"backend":"simulator","slots":1},"telling":"reason","seed":)" +
         std::to_string(study.seed) + R"(,"budget":{"trials":)" + std::to_string(trials) + "}}\n";
}

inline std::string launch_line(std::size_t trial, const WrittenLaunch& launch) {
  const bool failed = launch.value == 0.0;
  const std::string number = std::to_string(trial);
  return R"({"trial":)" + number + R"(,"attempt":0,"config":{"micro_batch":)" + number +
         R"(,"sharding":"full_shard","compile":true},"state":")" + (failed ? "fail" : "complete") +
         R"(","reason":)" + (failed ? scenarios::quoted(launch.reason) : "null") + R"(,"value":)" +
         (failed ? "null" : scenarios::shortest(launch.value)) +
         R"(,"metrics":{},"cost_gpu_hours":)" + scenarios::shortest(launch.cost) +
         R"(,"started_h":)" + number + R"(,"finished_h":)" + std::to_string(trial + 1) +
         R"(,"round":0,"fidelity":null})" + "\n";
}

/// The study's journal in `folder`, named `file`, and its truth where any launch has one.
inline void write_study(const std::filesystem::path& folder, const std::string& file,
                        const WrittenStudy& study) {
  std::string journal = header_line(study, "journal");
  std::string truth = header_line(study, "truth");
  bool known = false;
  for (std::size_t i = 0; i < study.launches.size(); ++i) {
    const WrittenLaunch& launch = study.launches[i];
    journal += launch_line(i, launch);
    truth += R"({"trial":)" + std::to_string(i) + R"(,"attempt":0,"reason":null,"value":)" +
             (launch.truth == 0.0 ? "null" : scenarios::shortest(launch.truth)) + "}\n";
    known = known || launch.truth != 0.0;
  }
  write_text(folder / "journals" / (file + ".jsonl"), journal);
  if (known) write_text(folder / "truth" / (file + ".jsonl"), truth);
}

}  // namespace cubicbench::results
