#!/usr/bin/env python3
"""What a kernel's time is made of: its time with some of its instructions replaced by NOPs.

    run_without.py FOLDER [VARIANT…]     FOLDER is what gemmscope_without wrote; prints case, title, variant, milliseconds

A NOP keeps the stall count, the yield and the waits of the instruction in whose place it stands, and sets no scoreboard. Results
are wrong then; times are not, as long as addresses and loops stay. "uniform": loads from shared memory take RZ as their address.
"""
import ctypes
import json
import statistics
import struct
import subprocess
import sys

from driver import Device, check, cuda

VARIANTS = ["none", "lds", "copies", "sts", "bar", "stg", "math", "lds bar", "lds copies sts", "copies sts bar", "math bar",
            "math copies sts", "math lds", "lds copies sts bar stg", "uniform"]


def text_of(data, entry):
    """Where the kernel's code begins in the cubin."""
    shoff, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * size) for i in range(count)]
    strings = sections[names][4]
    for s in sections:
        name = data[strings + s[0]:data.index(0, strings + s[0])].decode()
        if name == ".text." + entry:
            return s[4]
    raise RuntimeError(f"no code of {entry}")


def changed(cubin, case, variant):
    data = bytearray(cubin)
    for launch in case["launches"]:
        begin = text_of(data, launch["entry"])
        if variant == "uniform":
            for k in launch["places"]["lds"]:
                data[begin + 16 * k + 3] = 255
            continue
        for group in [] if variant == "none" else variant.split():
            for k in launch["places"][group]:
                high, = struct.unpack_from("<Q", data, begin + 16 * k + 8)
                kept = high >> 41 & (0x1F | 0x3F << 11) | 7 << 5 | 7 << 8
                struct.pack_into("<QQ", data, begin + 16 * k, 0x7918, kept << 41)
    return bytes(data)


class Runner:
    def __init__(self, folder):
        self.folder, self.device, self.buffers = folder, Device(), {}
        self.cases = [json.loads(line) for line in open(f"{folder}/cases.txt")]

    def argument(self, index, size, value, buffer):
        if not buffer:
            return (ctypes.c_uint64 if size == 8 else ctypes.c_uint32)(value)
        if (index, buffer) not in self.buffers:
            self.buffers[index, buffer] = self.device.allocate(buffer)
        return self.buffers[index, buffer]

    def row(self, case, module):
        """Starts all launches of the case once."""
        values = [self.argument(i, *a) for i, a in enumerate(case["arguments"])]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        starts = []
        for launch in case["launches"]:
            function = self.device.function(module, launch["entry"], launch["shared"])
            starts.append((function, [ctypes.c_uint(x) for x in launch["grid"] + launch["block"]], ctypes.c_uint(launch["shared"])))
        null = ctypes.c_void_p()
        def start(keep=values):
            for function, shape, shared in starts:
                code = cuda.cuLaunchKernel(function, *shape, shared, null, pointers, null)
                if code:
                    check(code, "cuLaunchKernel")
        return start

    def milliseconds(self, start, row_ms=4):
        start()
        self.device.wait()
        once = max(0.003, self.device.milliseconds(start))
        count = max(4, min(400, int(row_ms / once)))
        def row():
            for _ in range(count):
                start()
        return statistics.median(self.device.milliseconds(row) / count for _ in range(5))


def run_case(folder, name, variants):
    runner = Runner(folder)
    case = next(c for c in runner.cases if c["name"] == name)
    cubin = open(f"{folder}/{name}.cubin", "rb").read()
    for variant in variants or VARIANTS:
        module = runner.device.module(changed(cubin, case, variant))
        print(f"{name}\t{case['title']}\t{variant}\t{runner.milliseconds(runner.row(case, module)):.6f}", flush=True)
        runner.device.unload(module)


def main(folder, variants):
    """A process a case: what loses the device, as an address that is not aligned does, loses no other case."""
    for line in open(f"{folder}/cases.txt"):
        name = json.loads(line)["name"]
        done = subprocess.run([sys.executable, __file__, folder, "case=" + name, *variants], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            print(f"{name}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[2].startswith("case="):
        run_case(sys.argv[1], sys.argv[2][5:], sys.argv[3:])
    else:
        main(sys.argv[1], sys.argv[2:])
