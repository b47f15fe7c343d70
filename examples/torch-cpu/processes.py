"""Processes that meet over gloo and do one thing together."""

import multiprocessing
import os
import signal
import tempfile
import traceback

import torch
from torch import distributed

# What is said of an allocation that fails, by the kernel, PyTorch, oneDNN, C++ and Python.
OUT_OF_MEMORY = ("can't allocate memory", "could not create a", "could not execute a primitive", "could not initialize a memory",
                 "bad_alloc", "MemoryError", "Cannot allocate memory", "Resource temporarily unavailable")


def warmed_up(threads):
    """Starts the threads that this process computes with, so that their stacks count as held already."""
    torch.set_num_threads(threads)
    ones = torch.ones(256, 256, requires_grad=True)
    (ones * ones).sum().backward()


def joined(rank, count, folder, threads, work, pipe):
    """What a process does: `work` with its rank, whose result the first one sends."""
    log = os.open(f"{folder}/{rank}.log", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 2)
    try:
        if count > 1:
            distributed.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=count)
            distributed.barrier()
        warmed_up(threads)
        result = work(rank)
        if rank == 0:
            pipe.send(result)
    except BaseException:
        os.write(2, traceback.format_exc().encode())
        os._exit(1)
    os._exit(0)  # gloo's threads may wait for a process that has gone


def why_ended(code, log):
    """In words. A process that may hold no more dies of the exception, or of the signal that ends a C++ program without one."""
    if any(text in log for text in OUT_OF_MEMORY):
        return "out of memory"
    return f"killed by signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def run_together(count, threads, work):
    """`work(rank)` in `count` processes of `threads` threads each. The result of the first, or None with the reason and the log of the
    process that failed first, whereupon the others are killed."""
    context = multiprocessing.get_context("fork")  # PyTorch is loaded once
    here, there = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        children = [context.Process(target=joined, args=(rank, count, folder, threads, work, there)) for rank in range(count)]
        for child in children:
            child.start()
        running, failed = dict(enumerate(children)), None
        while running and failed is None:
            multiprocessing.connection.wait([child.sentinel for child in running.values()])
            ended = [rank for rank, child in running.items() if child.exitcode is not None]
            failed = next((rank for rank in ended if children[rank].exitcode != 0), None)
            running = {rank: child for rank, child in running.items() if rank not in ended}
        for child in running.values():
            child.kill()
        if failed is None:
            return here.recv(), "", ""
        with open(f"{folder}/{failed}.log", encoding="utf-8", errors="replace") as file:
            log = file.read()
        return None, f"process {failed} of {count}: {why_ended(children[failed].exitcode, log)}", log
