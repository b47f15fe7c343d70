"""One training job of a few steps on a CPU: processes that speak gloo, a limit on memory, and a line of log per step.

docs/torch-cpu.md says what each setting means here.
"""

import contextlib
import resource
import statistics
import time

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from model import Model

WARM_UP, TIMED_MIN, TIMED_MAX, TIMED_S = 1, 2, 10, 2.0
WEIGHT_BYTES = 4
GIB = 2.0**30


def resident_gib():
    """The most that this process has ever held."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / GIB


def writable_bytes():
    """What RLIMIT_DATA counts: memory of this process alone that it may write."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmData:"))


def limit_memory(gib):
    """From here on the kernel grants this process so much more memory and refuses every allocation above."""
    limit = writable_bytes() + int(gib * GIB)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def has_fsdp2():
    """Whether FSDP2 runs on CPUs: from PyTorch 2.7 on gloo scatters."""
    return tuple(int(number) for number in torch.__version__.split(".")[:2]) >= (2, 7)


def fully_sharded(model, settings, processes):
    """FSDP2, a unit per `wrap` layers."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh("cpu", (processes,))
    for begin in range(0, len(model.blocks), settings["wrap"]):
        fully_shard(list(model.blocks[begin:begin + settings["wrap"]]), mesh=mesh)
    return fully_shard(model, mesh=mesh)


def replicated(model, settings):
    """DistributedDataParallel, a bucket as large as the gradients of `wrap` layers."""
    layer = sum(weight.numel() for weight in model.blocks[0].parameters())
    return DistributedDataParallel(model, bucket_cap_mb=settings["wrap"] * layer * WEIGHT_BYTES / 2**20)


def optimizer_of(parameters, sharding):
    if sharding != "zero1":
        return torch.optim.AdamW(parameters, lr=1e-4)
    from torch.distributed.optim import ZeroRedundancyOptimizer

    return ZeroRedundancyOptimizer(parameters, optimizer_class=torch.optim.AdamW, lr=1e-4)


class Job:
    """This process's part of a job: a model with its optimizer. step() trains on one global batch."""

    def __init__(self, shape, settings, processes):
        self.shape, self.settings, self.processes = shape, settings, processes
        self.sharding = settings["sharding"] if processes > 1 else "no_shard"
        self.micro_batches = settings["global_batch"] // (processes * settings["micro_batch"])
        torch.manual_seed(1)
        self.model = Model(shape, settings["recompute"])
        if self.sharding == "full_shard":
            self.model = fully_sharded(self.model, settings, processes)
        elif processes > 1:
            self.model = replicated(self.model, settings)
        self.optimizer = optimizer_of(self.model.parameters(), self.sharding)

    def synchronised(self, last):
        """The context of a micro-batch: with accumulate_without_sync only the last one of a step exchanges gradients."""
        if self.processes == 1 or not self.settings["accumulate_without_sync"]:
            return contextlib.nullcontext()
        if self.sharding == "full_shard":
            self.model.set_requires_gradient_sync(last)
            return contextlib.nullcontext()
        return contextlib.nullcontext() if last else self.model.no_sync()

    def precision(self):
        bf16 = self.settings["dtype"] == "bf16"
        return torch.autocast("cpu", torch.bfloat16) if bf16 else contextlib.nullcontext()

    def step(self):
        """Gives this process's loss."""
        total = 0.0
        for index in range(self.micro_batches):
            tokens = torch.randint(self.shape["vocabulary"], (self.settings["micro_batch"], self.shape["sequence"] + 1))
            with self.synchronised(last=index == self.micro_batches - 1):
                with self.precision():
                    loss = self.model(tokens[:, :-1], tokens[:, 1:]) / self.micro_batches
                loss.backward()
            total += loss.item()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return total

    def is_enough(self, timed):
        """Whether the steps timed so far will do: what the first process thinks, since clocks differ."""
        enough = len(timed) >= TIMED_MIN and (sum(timed) >= TIMED_S or len(timed) >= TIMED_MAX)
        if self.processes == 1:
            return enough
        said = torch.tensor([float(enough)])
        distributed.broadcast(said, 0)
        return bool(said.item())


def trained(shape, settings, processes, memory_gib, log):
    """Runs WARM_UP steps and as many others as fill TIMED_S, in at most memory_gib on top of what is held now, and gives the metrics of
    the others. The peak is of this process."""
    held = resident_gib()
    limit_memory(memory_gib)
    job = Job(shape, settings, processes)
    tokens = settings["global_batch"] * shape["sequence"]
    seconds = []
    while not job.is_enough(seconds[WARM_UP:]):
        start = time.perf_counter()
        loss = job.step()
        seconds.append(time.perf_counter() - start)
        log(f"step: {len(seconds):2}  loss: {loss:8.4f}  memory: {resident_gib() - held:6.3f}GiB  tokens/s: {tokens / seconds[-1]:,.0f}")
    step_time = statistics.median(seconds[WARM_UP:])
    return {"step_time_s": step_time, "tokens_per_s": tokens / step_time, "peak_mem_gib": resident_gib() - held}
