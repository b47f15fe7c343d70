#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/hardware/network.h"
#include "sim/network/collective.h"

namespace cubicbench::datasets {

/// What a published text says of a GPU; the first rule whose texts it contains counts.
struct GpuRule {
  std::string contains;                ///< whatever its case
  std::string with;                    ///< and this one; "": no other
  bool name = false;                   ///< both only as names of their own: "H20" is not in "H200"
  std::string device;                  ///< of the library; "" where nothing stands for it
  std::string needs;                   ///< what the simulator lacks for it
  std::int64_t gpus_per_node = 8;      ///< where the rest does not say
  std::optional<sim::Bytes> memory{};  ///< where it is not that of the device of the library
};

/// What it says of the network between nodes.
struct FabricRule {
  std::string contains;
  bool word = false;       ///< only as a word of its own
  double gbps_min = 0.0;   ///< least Gbit/s of an adapter that the text states; 0: any or none
  std::string fabric;      ///< as datasets/measured/networks.json names it
  bool takes_rate = true;  ///< does a stated rate replace the library's?
  double node_gbps = 0.0;  ///< Gbit/s that all GPUs of a node share; 0: not said
};

/// Counts that a source does not print.
struct CountRule {
  std::string contains;  ///< in the system's name
  std::int64_t nodes = 1;
  std::int64_t gpus = 1;
};

/// What the simulator does for an operation of a benchmark.
struct OperationRule {
  std::string begins;     ///< how its name begins
  bool excluded = false;  ///< no collective: its rows are not wanted
  sim::Collective operation = sim::Collective::all_gather;
  std::string needs;  ///< what the simulator lacks for it
};

/// What a generation of NCCL lacks; every rule that fits a row counts.
struct LibraryRule {
  std::string before;  ///< the first version that has it: "2.10"
  std::string fabric;  ///< how the fabrics' names begin on which it lacks it; "": all
  bool trees = true;   ///< between nodes
  bool nvls = true;    ///< reduction in the NVSwitch
};

/// What the way in which a benchmark was run adds to its collectives, whatever the machine; the
/// first rule that fits a row counts.
struct RunRule {
  std::string source, notes;         ///< what these columns contain, whatever its case; "" fits all
  std::string system;                ///< and what this one contains: the machine
  sim::Seconds overhead_rank{};      ///< of a collective, for each rank of its group
  sim::Seconds exchange_overhead{};  ///< of an all-to-all
  std::int64_t ranks = 0;            ///< of a group, where it is not all GPUs; 0: it is
  bool nvls = true;
  bool usable = true;  ///< false: by its source's own words not to be used
};

/// A domain with a switch that some machines of a device have and its usual ones have not.
struct DomainRule {
  std::string device;
  std::string contains;            ///< in what a row says of its machine
  std::int64_t gpus_per_node = 8;  ///< where the row does not say
  sim::BytesPerSecond rate{};      ///< of a GPU in its domain, nominal, one way
};

/// How published texts on machines and operations are read.
struct MeasuredSystems {
  std::vector<GpuRule> gpus;
  std::vector<FabricRule> fabrics;
  std::vector<CountRule> counts;
  std::vector<OperationRule> operations;
  std::vector<LibraryRule> libraries;
  std::vector<RunRule> runs;
  std::vector<DomainRule> domains;
};

/// Reads schema `cubicbench.measured_systems/1`. Every rule needs a reason. Throws InputError with
/// every problem.
MeasuredSystems read_measured_systems(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/systems.json), read once. Threads may call it at the same
/// time.
const MeasuredSystems& measured_systems();

/// The first rule that fits, or null.
const GpuRule* find_gpu(std::string_view text);
const FabricRule* find_fabric(std::string_view text);
const CountRule* find_counts(std::string_view system);
const OperationRule* find_operation(std::string_view collective);
const RunRule* find_run(std::string_view source, std::string_view notes, std::string_view system);

/// The rule for a domain that is another than the usual one of `device`, or null.
const DomainRule* find_domain(std::string_view device, std::string_view text);

/// Is "NCCL 2.9.9+cuda11.2" before "2.10"? Numbers between points are compared; an empty version is
/// not before any.
bool is_before(std::string_view version, std::string_view first);

}  // namespace cubicbench::datasets
