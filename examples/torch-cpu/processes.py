"""Processes that meet over gloo and do one thing together."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import tempfile
import traceback

import torch
from torch import distributed

# What is said of an allocation that fails, by the kernel, PyTorch, oneDNN, C++ and Python.
OUT_OF_MEMORY = ("can't allocate memory", "could not create a memory", "could not create a primitive",
                 "could not execute a primitive", "bad_alloc", "MemoryError", "Cannot allocate memory", "Resource temporarily unavailable")


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


def log_of(folder, rank):
    with open(f"{folder}/{rank}.log", encoding="utf-8", errors="replace") as file:
        return file.read()


def why_ended(codes, logs):
    """In words, with the log that says so. What ran out of memory dies of the exception, or of the signal that ends a C++ program without
    one; the others may die of its silence before anybody looks."""
    for rank, log in enumerate(logs):
        if codes[rank] and any(text in log for text in OUT_OF_MEMORY):
            return f"{log}\nprocess {rank} of {len(logs)}: out of memory"
    rank = next(rank for rank, code in enumerate(codes) if code)
    how = f"exit code {codes[rank]}" if codes[rank] > 0 else f"killed by {signal.Signals(-codes[rank]).name}"
    return f"{logs[rank]}\nprocess {rank} of {len(logs)}: {how}"


def await_all(children):
    """Returns when all have ended, or the first with an error: the others may wait for it."""
    running = list(children)
    while running and not any(child.exitcode for child in children):
        multiprocessing.connection.wait([child.sentinel for child in running])
        running = [child for child in running if child.exitcode is None]


def run_together(count, threads, work):
    """`work(rank)` in `count` processes of `threads` threads each: the result of the first and "", or None and why there is none."""
    context = multiprocessing.get_context("fork")  # PyTorch is loaded once
    here, there = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        children = [context.Process(target=joined, args=(rank, count, folder, threads, work, there)) for rank in range(count)]
        for child in children:
            child.start()
        await_all(children)
        codes = [child.exitcode for child in children]
        if not any(codes):
            return here.recv(), ""
        for child in children:
            child.kill()
            child.join()
        return None, why_ended(codes, [log_of(folder, rank) for rank in range(count)])
