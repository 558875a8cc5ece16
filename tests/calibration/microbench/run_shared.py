#!/usr/bin/env python3
"""Loads from shared memory by which lanes read the same words, and stores of parts of sectors: run_shared.py shared.cubin [PART...]"""
import ctypes
import statistics
import sys

from driver import Device

device = Device()
module = device.module(open(sys.argv[1], "rb").read())
PATTERNS = ["own", "all same", "l^1 same", "l^2 same", "fours", "rows of small tile", "columns of small tile", "rows of large tile",
            "columns of large tile", "eights", "halves"]
SHARED = 48 << 10


def median_of_warps(name, threads, arguments, blocks=1):
    f = device.function(module, name, SHARED)
    samples = []
    for _ in range(5):
        device.launch(f, blocks, threads, [device.out] + arguments + [device.scratch], SHARED)
        samples.append(max(device.read(device.out, threads // 32)))
    return statistics.median(samples)


def streams():
    """Cycles of the SM a load: many loads in a row, of 4, 8 and 16 warps."""
    for words in (1, 2, 4):
        for first in range(len(PATTERNS)):
            for second in {first, 6 if first == 5 else first, 8 if first == 7 else first}:
                cells = []
                for warps in (1, 4, 8, 16):
                    count = 256
                    cells.append(f"{warps} warps {median_of_warps(f'stream_{words}', 32 * warps, [first, second, count]) / (8 * count * warps):.2f}")
                name = PATTERNS[first] + ("" if first == second else " and " + PATTERNS[second])
                print(f"stream: LDS.{32 * words}, {name}: cycles a load {', '.join(cells)}", flush=True)


def chains():
    """Cycles from a load to the next one whose address it gives (with an IADD3)."""
    for words in (1, 2, 4):
        cells = [f"{PATTERNS[p]} {median_of_warps(f'chain_{words}', 32, [p, 1024]) / 1024:.2f}" for p in range(len(PATTERNS))]
        print(f"chain: LDS.{32 * words}: {', '.join(cells)}", flush=True)


def products():
    """Cycles of a pass: loads for the next one, and FFMAs."""
    for loads, ffmas in ((2, 16), (3, 32), (4, 64)):
        for first, second in ((0, 0), (1, 1), (5, 6), (5, 5), (6, 6), (7, 8), (2, 2), (3, 3)):
            cells = []
            for warps in (1, 2, 4, 8):
                cells.append(f"{warps} warps {median_of_warps(f'product_{loads}_{ffmas}', 32 * warps, [first, second, 512]) / 1024:.2f}")
            print(f"product: {loads} LDS.128, {ffmas} FFMA, {PATTERNS[first]} and {PATTERNS[second]}: cycles a pass {', '.join(cells)}", flush=True)


KINDS = ["LDGSTS.32", "LDGSTS.32 transposed", "LDGSTS.128", "LDGSTS.128 of rows, 80 B apart", "LDGSTS.128 of rows", "LDG.128", "LDG.32", "STS.128",
         "STS.32 transposed", "LDS.128"]


def bursts():
    """Cycles until an LDS.128 is there that each warp issues after N others."""
    area = device.allocate(2 << 20)
    for kind, name in enumerate(KINDS):
        for mask, what in ((1, "1 warp"), (0xf, "1 a sub-core"), (0xff, "2 a sub-core")):
            cells = []
            for count in (0, 1, 2, 4, 6, 8, 12, 16):
                f = device.function(module, f"burst_{kind}_{count}", 100 << 10)
                samples = []
                for _ in range(5):
                    device.launch(f, 1, 256, [device.out, ctypes.c_uint32(mask), area, device.scratch], 100 << 10)
                    v = device.read(device.out, 8)
                    samples.append(max(v[w] for w in range(8) if mask >> w & 1))
                cells.append(f"{count}:{statistics.median(samples):.0f}")
            print(f"burst: {name}, {what}: cycles to the LDS {' '.join(cells)}", flush=True)
    device.free(area)


def stores():
    """Bytes of sectors a cycle of the chip, at 1980 MHz."""
    for name in ("stores", "stores_in_turn"):
        for pitch in (1, 2, 4, 8, 16):
            cells = []
            for blocks in (8, 132, 1056):
                f = device.function(module, name)
                per_thread = 2048 * 132 // max(blocks, 132)
                area = 2 << 20  # words: 8 MiB, in L2
                start = device.prepare(f, blocks, 256, [device.scratch, pitch, per_thread, area])
                start()
                device.wait()
                ms = statistics.median(device.milliseconds(start) for _ in range(5))
                lanes = blocks * 256 * per_thread
                sectors = lanes * min(pitch, 8) / 8 if name == "stores" else lanes * min(pitch, 8) / 8
                cells.append(f"{blocks} blocks {sectors * 32 / (ms * 1.98e6):.0f} B of sectors, {lanes * 4 / (ms * 1.98e6):.0f} B of words")
            print(f"{name}: STG.32, lanes {pitch} words apart: a cycle {'; '.join(cells)}", flush=True)


for part in sys.argv[2:] or ["streams", "chains", "products", "bursts", "stores"]:
    globals()[part]()
