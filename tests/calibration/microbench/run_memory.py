#!/usr/bin/env python3
"""Memory, fixed costs, block placement and atomics: run_memory.py MEMORY.cubin [PART…]

Prints one line a measurement. Parts: local local_profile rows tiles many_tiles sets granularity turnover stream hits hit_order fixed first blocks atomics, and of
queues.cubin queues. local_profile launches a
few kernels for Nsight Compute and measures nothing itself.
"""
import collections
import ctypes
import statistics
import struct
import sys

from driver import Device

device = Device()
module = device.module(open(sys.argv[1], "rb").read())
functions = {}


def function(name, shared=0):
    if (name, shared) not in functions:
        functions[name, shared] = device.function(module, name, shared)
    return functions[name, shared]


def wide(x):
    return ctypes.c_int64(x)


def timed(name, blocks, threads, arguments, shared=0, repeats=2):
    """The rows (start, end, SM, slot) of all warps of the last launch; out is the first argument, the scratch the last one."""
    for _ in range(repeats):
        device.launch(function(name, shared), blocks, threads, [device.out, *arguments, device.scratch], shared)
    warps = blocks * ((threads + 31) // 32)
    v = device.read(device.out, 4 * warps)
    return [tuple(v[4 * i:4 * i + 4]) for i in range(warps)]


def cycles(rows):
    """The median over SMs of the time from the first start to the last end."""
    by_sm = collections.defaultdict(list)
    for r in rows:
        by_sm[r[2]].append(r)
    return statistics.median(max(r[1] for r in v) - min(r[0] for r in v) for v in by_sm.values())


def local():
    for bits in (32, 64, 128):
        for mode, name in ((3, "store and dependent load"), (4, "dependent load")):
            rows = timed(f"local_{bits}", 1, 32, [mode, 256, 128])
            print(f"local: {bits} bits, {name}: {cycles(rows) / 256:.2f} cycles", flush=True)
    for blocks in (1, 132):
        for bits in (32, 128):
            for warps in (1, 4, 8, 16, 32):
                for frame in (128, 512, 1024, 2048, 4096):
                    cells = []
                    for mode, name in ((0, "STL"), (1, "LDL"), (2, "both")):
                        passes = max(2, 16384 // frame)
                        rows = timed(f"local_{bits}", blocks, 32 * warps, [mode, passes, frame])
                        count = passes * (frame * 8 // bits) * (2 if mode == 2 else 1)
                        cells.append(f"{name} {cycles(rows) / count / warps:.2f}")
                    print(f"local: {blocks} SMs, {warps} warps, {bits} bits, {frame} B a thread ({warps * frame // 32} KiB an SM):"
                          f" cycles a warp instruction of the SM: {', '.join(cells)}", flush=True)
    for shared in (0, 64, 128, 192):
        rows = [timed("local_128", 1, 512, [mode, 16, 512], shared << 10) for mode in (0, 1, 2)]
        print(f"local: 256 KiB of frames, {shared} KiB of shared memory: " +
              " ".join(f"{cycles(r) / 16 / 32 / 16 / (2 if i == 2 else 1):.2f}" for i, r in enumerate(rows)), flush=True)


PROFILED = [(bits, warps, mode, frame) for bits in (32, 128) for warps in (4, 16) for mode in (0, 1, 2) for frame in (128, 512, 2048)]


def local_profile():
    for bits, warps, mode, frame in PROFILED:
        device.launch(function(f"local_{bits}"), 132, 32 * warps, [device.out, mode, 16, frame, device.scratch])


def rows():
    area = device.allocate(1 << 30)
    for blocks in (1, 4, 132):
        for lanes, step in ((2, 32), (8, 128), (32, 512)):
            for row in (512, 4096, 16384, 65536, 65536 + 128, 262144):
                for warps in (1, 8):
                    own = warps * (32 // lanes) * blocks
                    passes = min(64, (row if row > 4096 else 4096) // step)
                    if own * row + passes * step > 1 << 30:
                        continue
                    cells = []
                    for together in (1, 4):
                        r = timed("rows", blocks, 32 * warps, [area, lanes, row, step, passes, together, 1], repeats=3)
                        cells.append(f"{cycles(r) / passes:.0f}")
                    print(f"rows: {blocks} blocks of {warps} warps, {lanes * 16} B of rows {row} B apart, {passes} passes: one load in"
                          f" flight {cells[0]} cycles a pass, four {cells[1]}", flush=True)
    device.free(area)


def tiles():
    a, b = device.allocate(64 << 20), device.allocate(64 << 20)
    for m, n, k in ((256, 256, 1024), (256, 256, 4096), (256, 256, 16384), (256, 256, 65536 // 2), (1024, 1024, 1024), (1024, 1024, 4096),
                    (2048, 2048, 1024)):
        r = timed("tiles", m // 128 * (n // 128), 256, [a, b, k, n, k // 8], repeats=4)
        each = [x[1] - x[0] for x in r[::8]]
        print(f"tiles: the loads of {m}x{n}x{k} in 128x128 blocks, {m // 128 * (n // 128)} blocks: cycles a step of 8:"
              f" median {statistics.median(each) * 8 / k:.0f}, {min(each) * 8 / k:.0f} to {max(each) * 8 / k:.0f}", flush=True)
    device.free(a)
    device.free(b)


def many_tiles():
    """The loads of larger products, with one, two or as many blocks an SM as fit."""
    a, b = device.allocate(256 << 20), device.allocate(256 << 20)
    for m, n, k in ((1024, 1024, 2048), (2048, 2048, 512), (2048, 2048, 1024), (2048, 2048, 2048), (2048, 2048, 4096), (16384, 512, 512),
                    (512, 16384, 512), (512, 512, 8192), (1024, 1024, 8192), (4096, 4096, 1024), (4096, 4096, 4096)):
        for shared in (0, 100, 200):
            blocks = m // 128 * (n // 128)
            r = timed("tiles", blocks, 256, [a, b, k, n, k // 8], shared << 10, repeats=3)
            each = sorted(x[1] - x[0] for x in r[::8])
            ms = device.milliseconds(device.prepare(function("tiles", shared << 10), blocks, 256, [device.out, a, b, k, n, k // 8, device.scratch],
                                                    shared << 10))
            print(f"many_tiles: {m}x{n}x{k}, {blocks} blocks with {shared} KiB of shared memory: cycles a step: {each[0] * 8 / k:.0f},"
                  f" {each[len(each) // 4] * 8 / k:.0f}, median {each[len(each) // 2] * 8 / k:.0f}, {each[len(each) * 3 // 4] * 8 / k:.0f},"
                  f" {each[-1] * 8 / k:.0f}; launch {ms * 1e3:.1f} us", flush=True)
    device.free(a)
    device.free(b)


def chain_cycles(area, count, pitch, passes, through_l1, order=None):
    nothing = ctypes.c_uint64(0)
    device.launch(function("chain"), 1, 1, [device.out, area, count, pitch, passes, through_l1, order or nothing, device.scratch])
    return device.read(device.out, count)


def sets():
    """How many of `count` lines at a pitch L1 keeps."""
    area = device.allocate(1 << 30)
    for pitch in (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 128 * 3, 2048 + 128, 4096 + 128):
        cells = []
        for count in (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1280, 1536, 1792):
            if count * pitch > 1 << 30:
                continue
            v = chain_cycles(area, count, pitch, 3, 1)
            cells.append(f"{count}: {100 * sum(1 for x in v if x < 150) / count:.0f}")
        print(f"sets: lines {pitch} B apart, percent that hit in the third pass: {', '.join(cells)}", flush=True)
    device.free(area)


def granularity():
    """What of a 4 KiB piece L2 has after one sector of it came from DRAM."""
    area, flush = device.allocate(256 << 20), device.allocate(512 << 20)
    nothing = ctypes.c_uint64(0)
    orders = {"upward": list(range(64)), "downward": list(range(63, -1, -1)), "each second": list(range(0, 64, 2)) + list(range(1, 64, 2)),
              "each fourth": [s + 4 * i for s in range(4) for i in range(16)], "each eighth": [s + 8 * i for s in range(8) for i in range(8)]}
    order = device.allocate(1 << 12)
    for name, sectors in orders.items():
        data = bytearray(1 << 12)
        for i, s in enumerate(sectors):
            struct.pack_into("<i", data, 4 * i, s)
        device.write(order, data)
        device.launch(function("stream"), 132, 512, [device.out, flush, wide(512 << 20), 2, 0, nothing, 0, device.scratch])
        chain_cycles(area, 64, 1 << 12, 1, 0)  # the translation of these addresses
        v = chain_cycles(ctypes.c_uint64(area.value + (1 << 20)), 64, 32, 1, 0, order)
        print(f"granularity: 32 B sectors {name}: {' '.join(str(x) for x in v)}", flush=True)
    device.free(area)
    device.free(flush)
    device.free(order)


def turnover():
    for threads, shared in ((256, 100), (128, 48), (256, 200), (1024, 100), (32, 8)):
        for store in (0, 1):
            wanted = 10000
            r = timed("starts", 132 * 24, threads, [wanted, store], shared << 10)
            warps = threads // 32
            by_sm = collections.defaultdict(list)
            for i in range(132 * 24):
                b = r[i * warps:(i + 1) * warps]
                by_sm[b[0][2]].append((min(w[0] for w in b), max(w[1] for w in b)))
            gaps = []
            for v in by_sm.values():
                ends, starts = sorted(e for _, e in v), sorted(s for s, _ in v)
                resident = sum(1 for s in starts if s < ends[0])
                gaps += [s - e for s, e in zip(starts[resident:], ends)]
            gaps.sort()
            if not gaps:
                continue
            print(f"turnover: blocks of {threads} threads, {resident} an SM, {store} stores a thread at the end: from the end to the next"
                  f" start {gaps[0]}, {gaps[len(gaps) // 10]}, median {gaps[len(gaps) // 2]}, {gaps[len(gaps) * 9 // 10]}", flush=True)


def stream():
    area = device.allocate(1 << 30)
    chain = device.allocate(1 << 20)
    data = bytearray(1 << 20)
    for i in range(1 << 18):  # through 1 MiB, 4 KiB and some at a time
        struct.pack_into("<I", data, 4 * i, (i + 1057) % (1 << 18))
    device.write(chain, data)
    nothing = ctypes.c_uint64(0)
    for blocks, per_sm in ((132, 1), (264, 2), (66, 1), (16, 1)):
        for size in (4, 8, 16, 24, 32, 40, 48, 56, 64, 96, 128, 256, 1024):
            passes = max(2, 256 // size) if blocks >= 132 else 2
            threads = 512
            args = [area, wide(size << 20), passes, 0, nothing, 0]
            timed("stream", blocks, threads, args, repeats=1)
            ms = min(device.milliseconds(device.prepare(function("stream"), blocks, threads, [device.out, *args, device.scratch]))
                     for _ in range(3))
            r = timed("stream", blocks, threads, args, repeats=1)
            print(f"stream: {blocks} blocks of 16 warps, {size} MiB, {passes} passes: {passes * (size << 20) / ms / 1e9:.2f} TB/s,"
                  f" {passes * (size << 20) / cycles(r) / min(blocks, 132):.1f} bytes a cycle and SM", flush=True)
    for size in (16, 1024):
        for threads in (32, 128, 288, 544, 1056 - 32):
            for idle in (4000, 1000, 400, 150, 0):
                if threads == 32 and idle:
                    continue
                hops = 64
                r = timed("stream", 132, threads, [area, wide(size << 20), 3 if size < 1024 else 1, idle, chain, hops], repeats=1)
                chains = [x for i, x in enumerate(r) if i % (threads // 32) == 0]
                others = [x for i, x in enumerate(r) if i % (threads // 32)]
                latency = statistics.median(x[1] - x[0] for x in chains) / hops
                share = (threads - 32) / threads
                rate = 0
                if others:
                    span = statistics.median(x[1] - x[0] for x in others)
                    rate = (3 if size < 1024 else 1) * (size << 20) * share / span / 132
                print(f"stream: chain in L2 beside {threads // 32 - 1} warps reading {size} MiB, idle {idle}: latency {latency:.0f},"
                      f" others {rate:.1f} bytes a cycle and SM", flush=True)
    device.free(area)
    device.free(chain)


def hits():
    for name, stride in (("hits_32", 4), ("hits_32", 0), ("hits_32", 8), ("hits_32", 32), ("hits_128", 16), ("hits_128", 0)):
        print(f"hits: {name}, lanes {stride} B apart: " + " ".join(
            f"{w}w {cycles(timed(name, 1, 32 * w, [device.scratch, 64, stride])) / 64 / 8 / w:.2f}" for w in (1, 4, 8, 16, 32)),
              "cycles a load and SM", flush=True)


def hit_order():
    area = device.allocate(4 << 20)
    for blocks in (1, 132):
        for name in ("global", "local"):
            for own in ("", "_own"):
                cells = []
                for beside, what in ((0, "alone"), (1 << 4, "a warp of the sub-core misses"), (1 << 1, "of another"), (0xfe, "seven")):
                    rows = timed("hit_order_" + name + own, blocks, 256, [area, beside, 64])
                    cells.append(f"{what} {statistics.median(r[1] - r[0] for r in rows[::8]) / 256:.1f}")
                print(f"hit_order: {blocks} SMs, {name} hits{', each behind a miss of its warp' if own else ''}: "
                      + ", ".join(cells) + " cycles a hit", flush=True)
    device.free(area)


def launches(name, blocks, threads, arguments, shared=0, count=400):
    start = device.prepare(function(name, shared), blocks, threads, arguments, shared)
    def work():
        for _ in range(count):
            start()
    work()
    device.wait()
    return statistics.median(device.milliseconds(work) for _ in range(3)) * 1000 / count


def fixed():
    null = ctypes.c_uint64(0)
    for blocks in (1, 132, 264, 1056, 4224, 16896):
        print(f"fixed: empty kernel, {blocks} blocks: " + " ".join(
            f"{t} threads {launches('empty', blocks, t, [device.scratch]):.3f}" for t in (32, 256, 1024)), "us back to back", flush=True)
    for wanted in (20000, 40000):
        ideal = wanted / 1980.0
        for blocks in (1, 132, 264, 528, 1056):
            for threads in (32, 128, 256, 512, 1024):
                if blocks * threads > 132 * 2048:
                    continue
                us = launches("spin", blocks, threads, [null, wanted, 0, 0, device.scratch], count=100)
                print(f"fixed: spin {wanted} cycles ({ideal:.3f} us), {blocks} blocks of {threads}: {us:.3f} us, {us - ideal:+.3f}", flush=True)
    wanted, ideal = 20000, 20000 / 1980.0
    for shared in (0, 16, 32, 48, 64, 100, 164, 200, 227):
        us = launches("spin", 132, 256, [null, wanted, 0, 0, device.scratch], shared << 10, count=100)
        print(f"fixed: spin, 132 blocks of 256, {shared} KiB of shared memory: {us - ideal:+.3f} us", flush=True)
    print(f"fixed: spin with 200 registers, 132 blocks of 256: {launches('spin_200', 132, 256, [null, wanted, device.scratch], count=100) - ideal:+.3f} us")
    for store in (0, 1, 2):
        us = launches("spin", 132, 1024, [null, wanted, 0, store, device.scratch], count=100)
        print(f"fixed: spin, 132 blocks of 1024, {(0, 1, 16)[store]} stores a thread at the end: {us - ideal:+.3f} us", flush=True)
    # One launch between two events, and two kernels in turn.
    f = device.prepare(function("spin"), 132, 256, [null, wanted, 0, 0, device.scratch])
    g = device.prepare(function("spin_200"), 132, 256, [null, wanted, device.scratch])
    single = []
    for _ in range(50):
        device.wait()
        single.append(device.milliseconds(f) * 1000)
    print(f"fixed: spin, one launch between two events: {statistics.median(single) - ideal:+.3f} us, least {min(single) - ideal:+.3f}")
    def turns():
        for _ in range(50):
            f()
            g()
    turns()
    device.wait()
    print(f"fixed: two kernels in turn: {statistics.median(device.milliseconds(turns) for _ in range(3)) * 1000 / 100 - ideal:+.3f} us a launch", flush=True)


def overlap():
    """What a launch adds to the time that its blocks take, behind another one of the same kernel, by the values that a thread keeps in registers."""
    null, wanted, ideal = ctypes.c_uint64(0), 20000, 20000 / 1980.0
    for values in (20, 90, 110, 130, 160, 190, 230):
        cells = [f"{blocks}:{launches(f'hold_{values}', blocks, 256, [null, wanted], count=100) - ideal:.2f}" for blocks in (1, 8, 32, 64, 100, 132)]
        print(f"overlap: blocks of 256 threads that keep {values} values: us more than the blocks take {' '.join(cells)}", flush=True)


def first():
    area = device.allocate(256 << 20)
    big = device.allocate(256 << 20)
    f = function("first_accesses")
    for blocks in (1, 132):
        for case in ("first launch", "again", "again", "L2 emptied", "again"):
            if case == "L2 emptied":
                device.fill(big, 0, 256 << 20)
            device.launch(f, blocks, 32, [device.out, area, 8 << 20])
            v = device.read(device.out, 8 * blocks)
            steps = [[v[8 * b + i + 1] - v[8 * b + i] for i in range(6)] for b in range(blocks)]
            names = ("constant", "first word", "same word", "256 B on", "16 KiB on", "32 MiB on")
            print(f"first: {blocks} blocks, {case}: " + ", ".join(
                f"{n} {statistics.median(s[i] for s in steps):.0f} (to {max(s[i] for s in steps)})" for i, n in enumerate(names)), flush=True)
    device.free(area)
    device.free(big)


def blocks():
    for count, threads, shared, spin, spread in ((132, 256, 0, 20000, 0), (264, 256, 100, 20000, 0), (1056, 256, 100, 10000, 0),
                                                 (1056, 256, 100, 10000, 100), (1056, 128, 48, 10000, 0), (528, 32, 16, 20000, 0),
                                                 (528, 64, 16, 20000, 0), (528, 96, 16, 20000, 0), (792, 256, 64, 10000, 0),
                                                 (1056, 1024, 100, 5000, 0), (132 * 16, 128, 0, 20000, 0)):
        r = timed("spin", count, threads, [spin, spread, 0], shared << 10)
        warps = (threads + 31) // 32
        of_block = [r[b * warps:(b + 1) * warps] for b in range(count)]
        sm_order = [b[0][2] for b in of_block]
        by_sm = collections.defaultdict(list)
        for i, b in enumerate(of_block):
            by_sm[b[0][2]].append((min(w[0] for w in b), max(w[1] for w in b), i, [w[3] for w in b]))
        print(f"blocks: {count} of {threads} threads, {shared} KiB, spin {spin} + 0..96 x {spread}")
        print(f"  SMs of blocks 0..23: {sm_order[:24]}; of 132..147: {sm_order[132:148]}; blocks an SM {sorted(collections.Counter(sm_order).values())[::131]}")
        for sm in sorted(by_sm)[:2]:
            at = sorted(by_sm[sm])
            print(f"  SM {sm}: " + ", ".join(f"block {i} slots {s} {b - at[0][0]}..{e - at[0][0]}" for b, e, i, s in at[:10]))
        starts_within = [max(w[0] for w in b) - min(w[0] for w in b) for b in of_block]
        turnovers = []
        for v in by_sm.values():
            ends = sorted(e for _, e, _, _ in v)
            resident = sum(1 for b, _, _, _ in v if b < ends[0])
            starts = sorted(b for b, _, _, _ in v)
            turnovers += [s - e for s, e in zip(starts[resident:], ends)]
        between = [b[0] - a[0] for v in by_sm.values() for a, b in zip(sorted(v), sorted(v)[1:]) if b[0] < a[1]]
        print(f"  first to last warp of a block: median {statistics.median(starts_within)}, most {max(starts_within)}; from a block to the next"
              f" one on an SM that runs beside it: median {statistics.median(between) if between else 0}; from a block's end to its successor:"
              f" median {statistics.median(turnovers) if turnovers else 0}, {sorted(turnovers)[len(turnovers) // 10] if turnovers else 0} to"
              f" {sorted(turnovers)[len(turnovers) * 9 // 10] if turnovers else 0}", flush=True)


def atomics():
    area = device.allocate(64 << 20)
    for name in ("red_s32", "red_f32", "atom_s32", "atom_f32"):
        for distance, apart, what in ((0, 0, "one word for all"), (0, 128, "one word a warp"), (4, 0, "one line for all"),
                                      (4, 128, "a line a warp"), (32, 1024, "a sector a lane"), (128, 4096, "a line a lane")):
            cells = []
            for blocks in (1, 132):
                for warps in (1, 8, 32):
                    r = timed(name, blocks, 32 * warps, [area, distance, apart, 16])
                    cells.append(f"{blocks}x{warps} {cycles(r) / 64 / warps:.1f}")
            print(f"atomics: {name}, {what}: cycles a warp instruction and SM: {', '.join(cells)}", flush=True)
    for name in ("atoms_s32", "reds_s32", "reds_f32"):
        for distance, apart, what in ((0, 0, "one word for all"), (0, 4, "one word a warp"), (4, 0, "the same line for all"),
                                      (4, 128, "a line a warp"), (8, 256, "two-way conflict"), (128, 4, "32-way conflict")):
            print(f"atomics: {name}, {what}: " + ", ".join(
                f"{w}w {cycles(timed(name, 1, 32 * w, [area, distance, apart, 16])) / 64 / w:.1f}" for w in (1, 4, 8, 32)), flush=True)
    device.free(area)


def queues():
    """With queues.cubin: how long warps take to issue N memory instructions in a row."""
    area = device.allocate(1 << 20)
    names = ("LDS.32", "LDS.128", "STS.32", "STS.128", "LDG.32 of L1", "LDG.128 of L1", "LDG.32 past L1", "STG.32", "LDGSTS.128")
    for op, name in enumerate(names):
        for mask, what in ((1, "1 warp"), (0x11, "2 of a sub-core"), (0xf, "1 a sub-core"), (0xff, "2 a sub-core")):
            cells = []
            for count in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28):
                f = function(f"queue_{op}_{count}", 64 << 10)
                samples = []
                for _ in range(5):
                    device.launch(f, 1, 256, [device.out, ctypes.c_uint32(mask), area, device.scratch], 64 << 10)
                    v = device.read(device.out, 8)
                    samples.append(max(v[w] for w in range(8) if mask >> w & 1))
                cells.append(f"{count}:{statistics.median(samples)}")
            print(f"queues: {name}, {what}: cycles to issue {' '.join(cells)}", flush=True)
    device.free(area)


if __name__ == "__main__":
    for part in sys.argv[2:] or ["local", "rows", "tiles", "turnover", "stream", "hits", "hit_order", "fixed", "first", "blocks", "atomics"]:
        globals()[part]()
