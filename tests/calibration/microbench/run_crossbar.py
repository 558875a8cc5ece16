#!/usr/bin/env python3
"""What leaves SMs for L2 and what comes back: run_crossbar.py CROSSBAR.cubin

lines: SMs that store and load whole lines in L2, random data, alone and together. burst: how many stores an SM takes before
one waits; `gemmscope stalls crossbar.cu --entry burst_16 …` models the same.
"""
import ctypes
import random
import statistics
import sys

from driver import Device

SMS, MIB = 132, 1 << 20
device = Device()
module = device.module(open(sys.argv[1], "rb").read())
# SMs of one GPC have numbers 16 apart, in pairs; the last ones are of several.
SETS = {"one SM": [0], "a TPC": [0, 1], "14 SMs of one GPC": [s for s in range(112) if s // 2 % 8 == 1],
        "one SM of each TPC": list(range(0, SMS, 2)), "12 SMs of each of 7 GPCs": [s for s in range(96) if s // 2 % 8], "all": list(range(SMS))}


def lines():
    area = device.allocate(SMS * 4 * MIB)
    noise = random.Random(1).randbytes(4 * MIB)
    for sm in range(SMS):
        device.write(ctypes.c_uint64(area.value + sm * 4 * MIB), noise[sm * 4096:] + noise[:sm * 4096])
    function = device.function(module, "lines", 200 << 10)
    passes, count = 40, 1024
    for name, sms in SETS.items():
        masks = [sum(1 << s % 32 for s in sms if s // 32 == word) for word in range(5)]
        masks = [m - (1 << 32) if m >> 31 else m for m in masks]
        for stores, loads in ((1, 0), (0, 1), (1, 1), (1, 2)):
            for warps in (8, 32):
                for _ in range(2):
                    device.fill(device.scratch, 0, 4)
                    device.fill(device.out, 0, SMS * 64 * 8)
                    device.launch(function, SMS, 32 * warps, [device.out, area, *masks, len(sms), stores, loads, passes, count, device.scratch], 200 << 10)
                v = device.read(device.out, SMS * 64)
                each = sorted((max(v[s * 64 + 1:s * 64 + 2 * warps:2]) - min(v[s * 64:s * 64 + 2 * warps:2])) / passes / count for s in sms)
                print(f"lines: {name} ({len(sms)}), {warps} warps each, {stores} stored and {loads} loaded in turn: cycles a turn:"
                      f" mean {statistics.mean(each):.2f}, least {each[0]:.2f}, most {each[-1]:.2f}", flush=True)
    device.free(area)


def burst():
    for warps in (4, 8, 16):
        cells = []
        for n in (1, 2, 4, 8, 12, 16, 24, 32, 48, 64):
            for _ in range(3):
                device.launch(device.function(module, f"burst_{n}"), 1, 32 * warps, [device.out, device.scratch, device.scratch])
            cells.append(f"{n}:{max(device.read(device.out, warps))}")
        print(f"burst: {warps} warps store lines: cycles to issue {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    lines()
    burst()
