#!/usr/bin/env python3
"""How long kernels with local memory take in a context of their own, and after a kernel with a larger stack has run in it.

    gemmscope_without --code FOLDER @POINTS     POINTS: lines workbench:TOGGLES:MxNxK
    time_spills.py FOLDER > spills_h200.csv     on the GPU

The driver lays local memory out for the largest stack that a context has seen, so that the same machine code takes up to 13 %
longer in a context that has run such a kernel: other lines of L1 are in each other's way. Random data, rows of launches.
"""
import array
import ctypes
import json
import os
import random
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + "/../microbench")
from driver import Device, check, cuda
from run_without import Runner

LOCAL_SIZE_BYTES = 3  # CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES


def load(runner, case):
    return runner.device.module(open(f"{runner.folder}/{case['name']}.cubin", "rb").read())


def measure(folder, name, before):
    """Prints median, least and most milliseconds of seven rows of launches; `before` runs once in the same context."""
    runner = Runner(folder)
    cases = {c["name"]: c for c in runner.cases}
    if before:
        runner.row(cases[before], load(runner, cases[before]))()
        runner.device.wait()
    start = runner.row(cases[name], load(runner, cases[name]))
    noise = array.array("f", [random.uniform(-1, 1) for _ in range(1 << 16)]).tobytes()
    for (_, size), buffer in runner.buffers.items():
        runner.device.write(buffer, (noise * (size // len(noise) + 1))[:size])
    start()
    runner.device.wait()
    count = max(2, min(200, int(6 / max(0.003, runner.device.milliseconds(start)))))
    def row():
        for _ in range(count):
            start()
    times = sorted(runner.device.milliseconds(row) / count for _ in range(7))
    print(f"{statistics.median(times):.6f},{times[0]:.6f},{times[-1]:.6f}")


def local_bytes(runner, case):
    launch, value = case["launches"][0], ctypes.c_int()
    module = load(runner, case)
    check(cuda.cuFuncGetAttribute(ctypes.byref(value), LOCAL_SIZE_BYTES, runner.device.function(module, launch["entry"], launch["shared"])), "stack")
    runner.device.unload(module)
    return value.value


def main(folder):
    runner = Runner(folder)
    bytes_of = {c["name"]: local_bytes(runner, c) for c in runner.cases}
    title = {c["name"]: c["title"].split(" ") for c in runner.cases}
    largest = max((name for name in bytes_of if title[name][2] == "512x512x512"), key=bytes_of.get)
    def short(size):
        m, n, k = size.split("x")
        return m if m == n == k else size
    def in_a_process(name, before):
        done = subprocess.run([sys.executable, __file__, folder, name, before], capture_output=True, text=True)
        return done.stdout.strip() or ",,"
    print("kernel,toggles,size,local_bytes,ms,least_ms,most_ms,after_larger_ms,after_larger_least_ms,after_larger_most_ms")
    for name, size in bytes_of.items():
        if size > 0:
            kernel, toggles, problem = title[name]
            print(",".join([kernel, toggles, short(problem), str(size), in_a_process(name, ""), in_a_process(name, largest)]), flush=True)


if __name__ == "__main__":
    measure(*sys.argv[1:4]) if len(sys.argv) == 4 else main(sys.argv[1])
