#!/usr/bin/env python3
"""Streams of chosen instructions on one SM: run_streams.py STREAMS.cubin FETCH.cubin [PART…]

Prints one line a measurement. "cycles" are SM cycles for one instruction of one sub-core, from runs of 512 and of 1024
instructions, so that the loop's own instructions cancel out. Parts: ports switch order orders beside mixed loads
branch fetch fetch_long cold random free_slots hole pipes writes. With UNIFORM=1 loads and stores of shared memory take RZ as their address.
"""
import os
import random
import statistics
import sys

from driver import Device
from sass import RZ, Registers, Template, branch_over, control, ffma, ffma_immediate, iadd3, imad, lds, lop3, nop, shift_left, shift_right, sts, word

streams_cubin, fetch_cubin = (open(path, "rb").read() for path in sys.argv[1:3])
device = Device()
PASSES = 48
UNIFORM = bool(os.environ.get("UNIFORM"))  # all lanes load the same words
PAIRS = bool(os.environ.get("PAIRS"))  # neighbouring lanes do
EVEN_ADDRESS = bool(os.environ.get("EVEN_ADDRESS"))  # LDS.128 reads its address from an even register, not an odd one


class Streams:
    """The kernel with streams A and B written into it; the setup leaves threadIdx.x times 4, 8 and 16 in registers."""

    def __init__(self, length, make_a, make_b):
        t = Template(streams_cubin, f"streams_{length}")
        setup, a, b = t.run(24), t.run(length), t.run(448)
        # The compiler keeps threadIdx.x in R0 from the first to the last instruction.
        # Queued loads read their address late: registers that the sums after the loop reach last.
        address = dict(zip((32, 64, 128), (31, 29, 30) if EVEN_ADDRESS else (29, 30, 31)))
        assert set(address.values()) <= set(t.destinations(a)) - set(t.destinations(setup))
        steps = [shift_left(register, 0, shift, stall=8) for register, shift in zip(address.values(), (2, 3, 4))]
        if PAIRS:  # neighbouring lanes read the same words
            half = t.destinations(setup)[0]
            steps = [shift_right(half, 0, 1, stall=8)] + [
                shift_left(register, half, shift, stall=8) for register, shift in zip(address.values(), (2, 3, 4))]
        t.write(setup, lambda i: steps[i - 24 + len(steps)] if i >= 24 - len(steps) else nop())
        for run, make in ((a, make_a), (b, make_b or (lambda r: lambda i: nop()))):
            registers = Registers(set(t.destinations(run)) - set(address.values()))
            registers.address = dict.fromkeys(address, RZ) if UNIFORM else address
            t.write(run, make(registers))
        self.name, self.module = t.kernel, device.module(t.data)
        self.function = device.function(self.module, self.name)

    def times(self, warps, mask_a, mask_b=0, passes_a=PASSES, passes_b=0, blocks=1, repeats=3):
        """Of the quickest of some launches: (start, end, SM, slot) of each warp, block by block."""
        best = None
        for _ in range(repeats):
            device.launch(self.function, blocks, 32 * warps, [device.out, mask_a, mask_b, passes_a, passes_b, device.scratch])
            v = device.read(device.out, 4 * warps * blocks)
            rows = [tuple(v[4 * i:4 * i + 4]) for i in range(warps * blocks)]
            active = [r for i, r in enumerate(rows) if (mask_a | mask_b) >> (i % warps) & 1]
            total = max(r[1] for r in active) - min(r[0] for r in active)
            if best is None or blocks > 1 or total < best[0]:
                best = (total, rows)
        return best[1]

    def close(self):
        device.unload(self.module)


def span(rows, mask):
    chosen = [r for i, r in enumerate(rows) if mask >> i & 1]
    return max(r[1] for r in chosen) - min(r[0] for r in chosen)


def rate(make_a, warps, make_b=None, mask_a=None, mask_b=0, passes_b=0, sub_cores=4, repeats=3):
    """Cycles an instruction of A and sub-core."""
    mask_a = (1 << warps) - 1 if mask_a is None else mask_a
    spans = []
    for length in (512, 1024):
        s = Streams(length, make_a, make_b)
        spans.append(span(s.times(warps, mask_a, mask_b, PASSES, passes_b, repeats=repeats), mask_a))
        s.close()
    each = bin(mask_a).count("1") / sub_cores
    return (spans[1] - spans[0]) / PASSES / 512 / each


# ---- streams: each a function of the registers that gives a function of the position.
def destination(r, i):
    return (r.odd if i % 2 else r.even)[i // 2 % 12]


def e(r, i):
    return r.even[12 + i % 10]


def o(r, i):
    return r.odd[12 + i % 10]


def two_banks(**c):
    """FFMA RZ, even, odd: one read of each bank."""
    return lambda r: lambda i: ffma(destination(r, i), RZ, e(r, i + 3), o(r, i + 7), **c)


def conflict(**c):
    """FFMA even, even, odd: two reads of one bank."""
    return lambda r: lambda i: ffma(destination(r, i), e(r, i), e(r, i + 3), o(r, i + 7), **c)


def conflict_odd(**c):
    return lambda r: lambda i: ffma(destination(r, i), o(r, i), o(r, i + 3), e(r, i + 7), **c)


def alternating(**c):
    return lambda r: lambda i: (conflict_odd(**c) if i % 2 else conflict(**c))(r)(i)


def all_even(r):
    return lambda i: ffma(destination(r, i), e(r, i), e(r, i + 3), e(r, i + 6))


def all_odd(r):
    return lambda i: ffma(destination(r, i), o(r, i), o(r, i + 3), o(r, i + 6))


def reused(length, flag=1, **c):
    """FFMA even (reused so many times), even, odd: without the cache two reads of one bank."""
    return lambda r: lambda i: ffma(destination(r, i), e(r, i // length), e(r, i // length + 1 + i % length % 8), o(r, i + 7),
                                    reuse=flag if (i + 1) % length else 0, **c)


def outer(r, **c):
    """An 8 x 8 outer product as the compiler orders it: A reused eight times, B of both banks, sums of both banks."""
    return lambda i: ffma(destination(r, i), e(r, i // 8), e(r, i % 8) if i & 1 else o(r, i % 8), destination(r, i),
                          reuse=0 if i % 8 == 7 else 1, **c)


def immediate(r):
    return lambda i: ffma_immediate(destination(r, i), e(r, i), o(r, i + 7))


def every(period, other, stream):
    """other(r)(k) in place of each `period`th instruction."""
    def make(r):
        main, rare = stream(r), other(r)
        return lambda i: rare(i // period) if i % period == 0 else main(i)
    return make


def load(bits, **c):
    """LDS, each lane its own word of so many bits: no conflicts."""
    return lambda r: lambda k: lds(r.quads[k % len(r.quads)], r.address[bits], 1024 + k % 8 * 512, bits, **c)


def store(bits, **c):
    return lambda r: lambda k: sts(r.address[bits], r.quads[k % len(r.quads)], 1024 + k % 8 * 512, bits, **c)


def yielding(stream, n):
    """The last of each n instructions lets another warp in."""
    def make(r):
        stay, leave = stream(r), stream(r, stay=0)
        return lambda i: leave(i) if i % n == n - 1 else stay(i)
    return make


def only_nop(**c):
    return lambda r: lambda k: nop(**c)


def sub_core_masks(first, count):
    """Warps first … first + count - 1 of each sub-core (warp w is on sub-core w % 4)."""
    return sum(0xF << 4 * w for w in range(first, first + count))


def ports():
    kinds = {"RZ,e,o": two_banks(), "e,e,o": conflict(), "e,e,o / o,o,e alternating": alternating(), "e,e,e": all_even,
             "immediate": immediate, "outer product, A reused in eights": outer,
             "A even reused in eights, e, o": reused(8), "the same without flags": reused(8, 0),
             "A even reused in pairs, e, o": reused(2), "A even reused in fours, e, o": reused(4)}
    for name, make in kinds.items():
        print(f"ports: {name}: " + " ".join(f"{w}w {rate(make, 4 * w):.3f}" for w in (1, 2, 3, 4)), flush=True)
    a, b = sub_core_masks(0, 1), sub_core_masks(1, 1)
    for name, (x, y) in {"e,e,o with o,o,e": (conflict(), conflict_odd()), "e,e,o with e,e,o": (conflict(), conflict()),
                         "e,e,e with o,o,o": (all_even, all_odd), "e,e,e with RZ,e,o": (all_even, two_banks()),
                         "RZ,e,o with e,e,o": (two_banks(), conflict()), "outer with outer": (outer, outer),
                         "RZ,e,o with lop3": (two_banks(), lambda r: lambda i: lop3(destination(r, i), RZ, e(r, i), o(r, i))),
                         "outer with lop3": (outer, lambda r: lambda i: lop3(destination(r, i), RZ, e(r, i), o(r, i))),
                         "RZ,e,o with imad": (two_banks(), lambda r: lambda i: imad(destination(r, i), RZ, e(r, i), o(r, i)))}.items():
        s = Streams(512, x, y)
        alone_x, alone_y = span(s.times(8, a, 0, 96), a), span(s.times(8, 0, b, 0, 96), b)
        rows = s.times(8, a, b, 96, 96)
        s.close()
        print(f"ports: two warps a sub-core, {name}: alone {alone_x / 96 / 512:.3f} and {alone_y / 96 / 448:.3f} cycles; together"
              f" the first ends after {span(rows, a) / 96 / 512:.3f}, the second {span(rows, b) / 96 / 448:.3f}, both"
              f" {span(rows, a | b) / 96 / 960:.3f} an instruction", flush=True)


def random_period(seed):
    """A few instructions to repeat: kind (F FFMA, I FFMA with an immediate, L LOP3), registers of the slots, reuse flags.
    Register p is the p/2-th even or odd one by p's parity. Styles: distinct registers without flags, the same with RZ,
    the same with a register in two slots, distinct ones with flags, everything of that, other kinds too."""
    r = random.Random(seed)
    style, pool, last, period = seed % 6, r.choice((6, 8, 12, 20)), [0, 1, 2], []
    for _ in range(r.choice((4, 8, 8, 16))):
        while True:
            now = [x if style > 2 and r.random() < 0.5 else r.randrange(pool) for x in last]
            if style in (1, 4, 5) and r.random() < 0.3:
                now[r.randrange(3)] = RZ
            if style in (2, 4, 5) or len(set(now)) == 3:
                break
        last = now
        kind = r.choice("FFFFFIIL") if style == 5 else "F"
        flags = r.randrange(8) if style > 2 else 0
        period.append((kind, now, flags & 5 if kind == "I" else flags))
    return period


def random_stream(period):
    def make(r):
        def real(p):
            return RZ if p == RZ else (r.odd if p % 2 else r.even)[12 + p // 2]

        def at(i):
            kind, (a, b, c), flags = period[i % len(period)]
            d, a, b, c = destination(r, i), real(a), real(b), real(c)
            if kind == "I":
                return ffma_immediate(d, a, c, reuse=flags)
            return (lop3 if kind == "L" else ffma)(d, a, b, c, reuse=flags)
        return at
    return make


def random_ports():
    """One warp a sub-core: what the rule of the ports must reproduce."""
    for seed in range(600):
        period = random_period(seed)
        words = " ".join(kind + ".".join("Z" if p == RZ else str(p) for p in registers) + f"/{flags}" for kind, registers, flags in period)
        print(f"random: {rate(random_stream(period), 4):.4f} {words}", flush=True)


def switch():
    """Warps that must take turns, because every instruction has a stall count."""
    for stall in (1, 2, 3, 4):
        for name, make in {"A reused in eights, e, o": reused(8, 1, stall=stall), "no flags": reused(8, 0, stall=stall),
                           "RZ,e,o": two_banks(stall=stall), "e,e,o": conflict(stall=stall),
                           "alternating": alternating(stall=stall)}.items():
            print(f"switch: stall {stall}, {name}: " + " ".join(f"{w}w {rate(make, 4 * w):.3f}" for w in (1, 2, 3, 4)), flush=True)
    for name, make in {"A reused in eights, e, o": reused(8, 1, stay=0), "RZ,e,o": two_banks(stay=0)}.items():
        print(f"switch: yield on each, {name}: " + " ".join(f"{w}w {rate(make, 4 * w):.3f}" for w in (1, 2, 3, 4)), flush=True)
    # A group of eight that shares A ends with a stall of two: the other warp comes in between groups only.
    def groups(at, stall, **c):
        def make(r):
            plain = reused(8)(r)
            other = reused(8, 1, stall=stall, **c)(r)
            return lambda i: other(i) if i % 8 == at else plain(i)
        return make
    for at in (3, 7):
        for stall in (1, 2, 4, 6):
            print(f"switch: reused in eights, stall {stall} after instruction {at} of 8: " +
                  " ".join(f"{w}w {rate(groups(at, stall), 4 * w):.3f}" for w in (1, 2, 3, 4)), flush=True)
            print(f"switch: the same with yield: " +
                  " ".join(f"{w}w {rate(groups(at, stall, stay=0), 4 * w):.3f}" for w in (1, 2, 3, 4)), flush=True)


def order():
    """When each warp starts and ends, relative to the first start: who is preferred."""
    for name, make in {"RZ,e,o": two_banks(), "each eighth stalls 4": every(8, lambda r: lambda k: ffma(
            destination(r, k), RZ, e(r, k), o(r, k), stall=4), two_banks()), "stall 2": two_banks(stall=2),
            "yield on each eighth": every(8, lambda r: lambda k: ffma(destination(r, k), RZ, e(r, k), o(r, k), stay=0), two_banks())}.items():
        s = Streams(512, make, None)
        for w in (2, 3, 4):
            rows = s.times(4 * w, (1 << 4 * w) - 1, passes_a=16, repeats=1)
            first = min(r[0] for r in rows)
            print(f"order: {name}, {w} warps a sub-core, sub-core 0: " +
                  ", ".join(f"warp {i} slot {rows[i][3]} {rows[i][0] - first}..{rows[i][1] - first}" for i in range(0, 4 * w, 4)), flush=True)
        s.close()
    # Two blocks of four warps on an SM against one of eight.
    for name, make in {"RZ,e,o": two_banks(), "outer": outer, "e,e,o": conflict(), "reused in eights": reused(8)}.items():
        s = Streams(1024, make, None)
        rows = s.times(4, 15, passes_a=64, blocks=264, repeats=2)
        by_sm = {}
        for r in rows:
            by_sm.setdefault(r[2], []).append(r)
        pairs = [v for v in by_sm.values() if len(v) == 8]
        if not pairs:
            print(f"order: {name}: no SM has two blocks")
            continue
        spans = sorted(max(r[1] for r in v) - min(r[0] for r in v) for v in pairs)
        one = span(s.times(8, 255, passes_a=64), 255)
        print(f"order: {name}: two blocks of 4 warps {spans[0] / 64 / 2048:.4f} to {spans[-1] / 64 / 2048:.4f}, median"
              f" {statistics.median(spans) / 64 / 2048:.4f} on {len(pairs)} SMs; one block of 8 warps {one / 64 / 2048:.4f} cycles an"
              f" instruction; slots {sorted(r[3] for r in pairs[0])}", flush=True)
        s.close()


def mixed():
    """Loads among the FFMAs of the same warps."""
    for bits in (32, 64, 128):
        for n in (4, 8, 16, 32):
            for name, stream in {"RZ,e,o": two_banks(), "outer": outer, "immediate": immediate}.items():
                rates = [rate(every(n, load(bits), stream), 4 * w) for w in (1, 2, 4)]
                print(f"mixed: LDS.{bits} + {n - 1} {name}: " + " ".join(
                    f"{w}w {x:.3f} ({(x - 1) * n:+.2f} a load)" for w, x in zip((1, 2, 4), rates)), flush=True)
    for bits in (32, 128):
        for n in (8, 32):
            for name, stream in {"RZ,e,o": two_banks(), "outer": outer}.items():
                rates = [rate(every(n, store(bits), stream), 4 * w) for w in (1, 2, 4)]
                print(f"mixed: STS.{bits} + {n - 1} {name}: " + " ".join(
                    f"{w}w {x:.3f} ({(x - 1) * n:+.2f} a store)" for w, x in zip((1, 2, 4), rates)), flush=True)


def loads():
    """Loads of one warp against the FFMAs of others on the same sub-core, which yield after each n."""
    def plain(r, **c):
        return two_banks(**c)(r)
    others = {"NOP": only_nop, "LDS.32": lambda **c: load(32, **c), "LDS.64": lambda **c: load(64, **c),
              "LDS.128": lambda **c: load(128, **c), "STS.32": lambda **c: store(32, **c), "STS.128": lambda **c: store(128, **c)}
    for sub_cores in (1, 4):
        chosen = 0xFFFF if sub_cores == 4 else 0x1111
        for count in (1, 2, 3):
            a, b = sub_core_masks(1, count) & chosen, sub_core_masks(0, 1) & chosen
            warps = 4 * (count + 1)
            for name, stream in {"RZ,e,o": plain, "outer": outer}.items():
                for n in (8, 16, 32):
                    make = yielding(stream, n)
                    rates = {"alone": rate(make, warps, None, a, sub_cores=sub_cores)}
                    for what, other in others.items():
                        rates[what] = rate(make, warps, lambda r: other(stall=6)(r), a, b, 60 * count, sub_cores)
                    print(f"loads: {sub_cores} sub-cores, {count} warps of {name} that yield each {n}, one warp of others: " + ", ".join(
                        f"{what} {x:.3f}" + (f" ({(x - rates['NOP']) * n:+.2f})" if what[1:2] in "DT" else "") for what, x in rates.items()),
                          flush=True)


def free_slots():
    """What a load costs where a stream leaves issue slots or write ports free: NOPs (no write), LOP3s (slower pipe), FFMAs
    whose results go to one bank only, or to RZ."""
    def to(bank):
        return lambda r: lambda i: ffma((r.even if bank == 0 else r.odd)[i % 12], RZ, e(r, i + 3), o(r, i + 7))
    to_rz = lambda r: lambda i: ffma(RZ, RZ, e(r, i + 3), o(r, i + 7))
    streams = {"RZ,e,o": two_banks(), "to even": to(0), "to odd": to(1), "to RZ": to_rz, "serpentine of 8": ORDERS["serpentine of 8"]}
    def with_free(stream, load_at, n, slots, other, free):
        """Of each n instructions the first is `other`, and `slots` evenly spaced ones are `free`."""
        def make(r):
            main, rare, gap = stream(r), other(r), free(r)
            places = {n * (k + 1) // (slots + 1) for k in range(slots)}
            return lambda i: rare(i // n) if i % n == 0 else gap(i) if i % n in places else main(i)
        return make
    for bits in (32, 64, 128):
        for name, stream in streams.items():
            for n in (12, 16, 24, 32, 64):
                cells = []
                for w in (1, 2):
                    for slots in (0, 1, 2, 4):
                        with_load = rate(with_free(stream, 0, n, slots, load(bits), only_nop()), 4 * w, repeats=2)
                        without = rate(with_free(stream, 0, n, slots, only_nop(), only_nop()), 4 * w, repeats=2)
                        cells.append(f"{w}w {slots} free {(with_load - without) * n:+.2f}")
                print(f"free_slots: LDS.{bits} among {n} {name}: cycles more than a NOP " + ", ".join(cells), flush=True)


def hole():
    """One load in 64 FFMAs and a NOP h instructions behind it, one sub-core: what the load costs, by h."""
    def to(bank):
        return lambda r: lambda i: ffma((r.even if bank == 0 else r.odd)[i % 12], RZ, e(r, i + 3), o(r, i + 7))
    def at(places, stream, n):
        def make(r):
            main, others = stream(r), {h: other(r) for h, other in places.items()}
            return lambda i: others[i % n](i // n) if i % n in others else main(i)
        return make
    one = dict(mask_a=1, sub_cores=1, repeats=2)
    for bits, name, stream in ((64, "RZ,e,o", two_banks()), (128, "RZ,e,o", two_banks()), (32, "to even", to(0)), (64, "to even", to(0)), (128, "to even", to(0))):
        for more in (0, 1, 6, 16) if bits == 128 else (0,):
            cells = []
            for h in range(1, 64 - more):
                gaps = {h: only_nop()} | ({h + more: only_nop()} if more else {})
                cost = rate(at({0: load(bits)} | gaps, stream, 64), 4, **one) - rate(at({0: only_nop()} | gaps, stream, 64), 4, **one)
                cells.append(f"{h}:{cost * 64:.1f}")
            print(f"hole: LDS.{bits} among {name}, NOP at h{f' and h + {more}' if more else ''}: {' '.join(cells)}", flush=True)
    for n in (1, 2, 4, 8, 16, 32):
        x = [rate(every(n, KINDS["LDC"], two_banks()), 4 * w, **(one if w == 1 else {})) for w in (1, 2)]
        print(f"hole: LDC 1 in {n}: one sub-core {x[0]:.3f}, four with two warps {x[1]:.3f}", flush=True)


def three(low, high, a="even", b=RZ, c="odd", d="any"):
    """An instruction of fresh registers: a of the even ones, c of the odd ones; a number stays as it is. `to`: the bank that it
    writes, else each in turn."""
    def make(r, to=None):
        def at(i):
            one = destination(r, i) if to is None else (r.odd if to else r.even)[i % 12]
            target = {"any": one, "pair": r.quads[i % 3]}.get(d, d)
            third = {"odd": o(r, i + 7), "quad": r.quads[3]}.get(c, c)
            return word(low | target << 16 | (e(r, i + 3) if a == "even" else a) << 24 | b << 32, high | third | control())
        return at
    return make


# Predicates that they write are P6.
KINDS = {
    "NOP": only_nop(), "FFMA RZ,e,o": two_banks(), "FMUL": three(0x7220, 0x00400000, c=0), "IMAD": three(0x7224, 0x078E0200),
    "IMAD, immediate": three(0x7824, 0x078E0200, b=16), "IMAD.IADD": three(0x7824, 0x078E0200, b=1), "IMAD.MOV": three(0x7224, 0x078E0000, a=RZ),
    "IMAD.WIDE.U32, immediate": three(0x7825, 0x078E0000, b=4, c="quad", d="pair"),
    "IMAD.WIDE.U32, immediate, + RZ": three(0x7825, 0x078E0000, b=4, c=RZ, d="pair"),
    "IADD3": three(0x7210, 0x07FFE000), "IADD3, immediate": three(0x7810, 0x07FFE000, b=1), "IADD3, carry out": three(0x7210, 0x07FDE000),
    "IADD3.X": three(0x7210, 0x007FE400), "LOP3": three(0x7212, 0x078EC000), "MOV": three(0x7202, 0x00000F00, a=0, c=0),
    "MOV of UR": three(0x7C02, 0x08000F00, a=0, b=4, c=0), "SEL": three(0x7207, 0x03000000, c=0), "LEA": three(0x7211, 0x078E1000, c=RZ),
    "LEA, carry out": three(0x7211, 0x078C1000, c=RZ), "LEA.HI.X": three(0x7211, 0x030F1400, c=RZ), "SHF": three(0x7819, 0x00000600, b=2, c=RZ),
    "ISETP, immediate": three(0x780C, 0x03FC6270, b=2, c=0, d=0), "ISETP": three(0x720C, 0x03FC6070, c=0, d=0),
    "FSETP": three(0x720B, 0x03FCD000, c=0, d=0), "PLOP3": three(0x781C, 0x03FCE170, a=0, b=0, c=0, d=0),
    "CS2R": three(0x7805, 0x0001FF00, a=0, b=0, c=0, d="pair"), "HFMA2.MMA": three(0x7435, 0x00000100, a=RZ, b=0, c=RZ),
    "LDC": three(0x7B82, 0x00000800, a=RZ, b=0x8D00, c=0), "ULDC": three(0x7AB9, 0x00000800, a=0, b=0x8D00, c=0, d=40),
    "UIADD3": three(0x7890, 0x0FFFE000, a=48, b=1, c=0x3F, d=40),
    "BSSY and BSYNC": lambda r: lambda i: word(0x7941 if i % 2 else 0x7945, (0 if i % 2 else 0x03800000) | control()),
}


def writes():
    """What an instruction costs beside FFMAs by the banks that both write: cycles more than a NOP in its place. Results of
    two instructions that come to a bank in one cycle, because they take different times, cost one."""
    def fma(to):
        return lambda r: lambda i: ffma((r.even if to == 0 else r.odd)[i % 12] if to is not None else destination(r, i), RZ, e(r, i + 3), o(r, i + 7))
    def cost(n, w, other, stream):
        return (rate(every(n, other, stream), 4 * w, repeats=2) - rate(every(n, only_nop(), stream), 4 * w, repeats=2)) * n
    chosen = os.environ.get("PIPE")
    for name, kind in list(KINDS.items())[int(chosen):][:1] if chosen else KINDS.items():
        if name.startswith(("NOP", "FFMA", "BSSY", "LDC", "ULDC", "UIADD3")):
            continue
        cells = []
        for to in (0, 1):
            for fma_to in (0, None):
                for n in (4, 8):
                    x = cost(n, 1, lambda r: kind(r, to), fma(fma_to))
                    cells.append(f"to {'odd' if to else 'even'} beside {'even' if fma_to == 0 else 'even and odd'}, 1 in {n} {x:+.2f}")
        alu = lambda r: three(0x7212, 0x078EC000)(r, 0)
        cells.append(f"to even among LOP3 to even 1 in 2 {rate(every(2, lambda r: kind(r, 0), alu), 4, repeats=2):.3f}")
        mad = lambda r: three(0x7224, 0x078E0200)(r, 0)
        cells.append(f"among IMAD to even 1 in 2 {rate(every(2, lambda r: kind(r, 0), mad), 4, repeats=2):.3f}")
        print(f"writes: {name}: " + ", ".join(cells), flush=True)


def pipes():
    """Cycles an instruction of other kinds: alone, and each second or fourth among FFMAs and among LOP3s."""
    fma = two_banks()
    alu = lambda r: lambda i: lop3(destination(r, i), RZ, e(r, i + 3), o(r, i + 7))
    chosen = os.environ.get("PIPE")  # one of them: what loses the device loses no other
    for name, kind in list(KINDS.items())[int(chosen):][:1] if chosen else KINDS.items():
        cells = [f"alone {' '.join(f'{w}w {rate(kind, 4 * w, repeats=2):.3f}' for w in (1, 2, 4))}"]
        for what, stream in (("FFMA", fma), ("LOP3", alu), ("IMAD", three(0x7224, 0x078E0200))):
            for n in (2, 4):
                cells.append(f"1 in {n} {what} {' '.join(f'{w}w {rate(every(n, kind, stream), 4 * w, repeats=2):.3f}' for w in (1, 2, 4))}")
        print(f"pipes: {name}: " + ", ".join(cells), flush=True)


def branch():
    for n in (4, 8, 16, 32, 64):
        for skip in (0, 1, 7):
            if skip >= n - 1:
                continue
            make = every(n, lambda r: lambda k: branch_over(skip, stall=5), two_banks())
            # skipped instructions are not executed
            executed = (n - skip) / n
            cells = []
            for w in (1, 2, 4):
                x = rate(make, 4 * w)
                cells.append(f"{w}w {x / executed:.3f} ({n * x - (n - skip - 1):.2f} a branch)")
            print(f"branch: BRA over {skip} after {n - skip - 1} FFMAs, stall 5: " + " ".join(cells), flush=True)


def fetch_function(size, slow=False):
    t = Template(fetch_cubin, f"fetch_{size}")
    run = t.run(size)
    registers = Registers(t.destinations(run))
    t.write(run, two_banks()(registers))
    # A few cycles a pass, which only count in short runs; those keep the compiler's stall counts, which happen to do.
    if size >= 4096 or slow:
        t.slow_others(run)
    module = device.module(t.data)
    return module, device.function(module, t.kernel)


SIZES = (128, 256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 6656, 7168, 7680, 8192, 9216, 10240, 12288, 16384)


def fetch(sizes=SIZES):
    passes = 8
    for size in sizes:
        module, function = fetch_function(size)
        for warps in (1, 4, 8, 16):
            for skew in (0, 37, 1000):
                if skew and warps == 1:
                    continue
                device.launch(function, 1, 32 * warps, [device.out, passes, skew, device.scratch])
                device.launch(function, 1, 32 * warps, [device.out, passes, skew, device.scratch])
                v = device.read(device.out, (passes + 1) * warps)
                rows = [v[w * (passes + 1):(w + 1) * (passes + 1)] for w in range(warps)]
                first = statistics.mean(r[1] - r[0] for r in rows)
                # All warps are busy from the third pass to the end of the one that ends first.
                begin, end = max(r[2] for r in rows), min(r[-1] for r in rows)
                alone = statistics.median(r[k + 1] - r[k] for r in rows for k in range(2, passes))
                total = (max(r[-1] for r in rows) - min(r[1] for r in rows)) / (passes - 1) / size / max(1, warps / 4)
                print(f"fetch: {size * 16 // 1024} KiB, {warps} warps, skew {skew}: first pass {first / size:.3f} a warp, later"
                      f" {alone / size:.3f} a warp, {total:.3f} cycles an instruction of a sub-core", flush=True)
        device.unload(module)


def fetch_long():
    fetch([s for s in SIZES if s >= 4096])


def cold():
    """The first pass over code: after loading it, after emptying L2, and again."""
    big = device.allocate(256 << 20)
    for size in SIZES:
        for blocks in (1, 132):
            module, function = fetch_function(size, True)
            def first_pass():
                device.launch(function, blocks, 128, [device.out, 3, 0, device.scratch])
                v = device.read(device.out, 4 * 4 * blocks)
                rows = [v[4 * i:4 * i + 4] for i in range(4 * blocks)]
                return [statistics.median(r[k + 1] - r[k] for r in rows) for k in range(3)] + [max(r[1] - r[0] for r in rows)]
            loaded, again = first_pass(), first_pass()
            device.fill(big, 1, 256 << 20)
            emptied, after = first_pass(), first_pass()
            device.unload(module)
            texts = [f"{name} {v[0]:.0f} {v[1]:.0f} {v[2]:.0f} (slowest first {v[3]:.0f})" for name, v in
                     (("after load", loaded), ("again", again), ("L2 emptied", emptied), ("again", after))]
            print(f"cold: {size * 16 // 1024} KiB, {blocks} SMs of 4 warps, cycles of passes 1 to 3: " + "; ".join(texts), flush=True)


def sum_of(r, i, parity):
    """A register of the given bank for the sum of FFMA i; each comes again 12 FFMAs of its bank later at the earliest."""
    return (r.odd if parity else r.even)[i // 2 % 12]


def factor(r, i):
    """Factor i of a column or a row: fours of neighbours, as LDS.128 loads them, so even and odd in turn."""
    return (o if i % 2 else e)(r, i // 2)


def columns(rows, turn, kept_flag=2, sums_opposite=True):
    """Down a column of an outer product and, with `turn`, up the next one: b stays in slot B over a column, at the turn a in
    slot A. The sum's bank is the one that a is not in, or, if not `sums_opposite`, the same."""
    def make(r):
        def at(i):
            j, q = divmod(i, rows)
            k = rows - 1 - q if turn and j % 2 else q
            last = q == rows - 1
            flags = (0 if last else kept_flag) | (1 if turn and last else 0)
            return ffma(sum_of(r, i, (k + 1) % 2 if sums_opposite else k % 2), factor(r, k), factor(r, rows + j % 4), sum_of(r, i, (k + 1) % 2 if sums_opposite else k % 2),
                        reuse=flags)
        return at
    return make


def pairs(rows, same_sums):
    """Two columns at once: one b of each bank stays in slot B, each a is read once for both."""
    def make(r):
        def at(i):
            j, rest = divmod(i, 2 * rows)
            q, second = divmod(rest, 2)
            k = rows - 1 - q if j % 2 else q
            kept = 2 if q < rows - 1 else 0
            c = sum_of(r, i, (k + 1) % 2 if same_sums else second)
            return ffma(c, factor(r, k), factor(r, rows + 2 * (j % 2) + second), c, reuse=kept | (0 if second else 1))
        return at
    return make


def squares(r):
    """Two rows and two columns at a time: a of each bank in slot A, b of each bank in slot B, four sums of both banks."""
    def at(i):
        block, q = divmod(i, 4)
        second_a, second_b = q // 2, (q + 1) // 2 % 2
        c = sum_of(r, i, (second_a + 1) % 2)
        return ffma(c, factor(r, 2 * (block % 4) + second_a), factor(r, 8 + 2 * (block // 4 % 4) + second_b), c,
                    reuse=(1 if q in (0, 2) else 0) | (2 if q in (0, 1) else 0))
    return at


ORDERS = {"columns of 8": columns(8, False), "serpentine of 8": columns(8, True),
          "serpentine of 8, sums in a's bank": columns(8, True, sums_opposite=False),
          "serpentine of 16": columns(16, True), "pairs, sums opposite": pairs(8, True),
          "pairs, sums of both banks": pairs(8, False), "squares": squares}


def orders():
    """Orders of an outer product, alone and with loads among them."""
    for name, stream in ORDERS.items():
        print(f"orders: {name}: " + " ".join(f"{w}w {rate(stream, 4 * w):.4f}" for w in (1, 2, 4)), flush=True)
        for what, other in {"NOP": only_nop(), "LDS.32": load(32), "LDS.64": load(64), "LDS.128": load(128), "LDS.128 to RZ": lambda r: lambda k: lds(RZ, r.address[128], 1024 + k % 8 * 512, 128)}.items():
            cells = []
            for n in (11, 22):
                for w in (1, 2, 4):
                    x = rate(every(n, other, stream), 4 * w)
                    cells.append(f"1 in {n} {w}w {x:.4f}")
            print(f"orders: {name}, {what} {'even' if EVEN_ADDRESS else 'odd'} address: " + ", ".join(cells), flush=True)


def beside():
    """Whether another instruction between two FFMAs clears the reuse cache: in groups of eight that share an even A, the
    other stands behind the fourth. "kept": the fourth has its flag, "dropped": it has none, and A is read twice."""
    def group(other, flag):
        def make(r):
            x = other(r)
            def at(i):
                g, q = divmod(i, 9)
                if q == 4:
                    return x(g)
                n = 8 * g + (q if q < 4 else q - 1)
                return ffma(destination(r, n), e(r, g), e(r, g + 1 + n % 8), o(r, n + 7), reuse=0 if q == 8 or (q == 3 and not flag) else 1)
            return at
        return make
    others = {"NOP": only_nop(), "LOP3 of RZ": lambda r: lambda k: lop3(r.odd[11], RZ, RZ, RZ),
              "LOP3, even in slot A": lambda r: lambda k: lop3(r.odd[11], e(r, k + 5), RZ, RZ),
              "LOP3, odd in slot A": lambda r: lambda k: lop3(r.odd[11], o(r, k + 5), RZ, RZ),
              "LOP3, even in slot B": lambda r: lambda k: lop3(r.odd[11], RZ, e(r, k + 5), RZ),
              "LOP3, even in slot C": lambda r: lambda k: lop3(r.odd[11], RZ, RZ, e(r, k + 5)),
              "IADD3, even in slot A": lambda r: lambda k: iadd3(r.odd[11], e(r, k + 5), RZ, RZ),
              "IMAD, even in slot A": lambda r: lambda k: imad(r.odd[11], e(r, k + 5), RZ, RZ),
              "shift, even in slot A": lambda r: lambda k: shift_left(r.odd[11], e(r, k + 5), 2),
              "LDS.32": load(32), "LDS.64": load(64), "LDS.128": load(128),
              "LDS.32 of RZ": lambda r: lambda k: lds(r.quads[k % 4], RZ, 1024 + k % 8 * 512, 32),
              "STS.32": store(32)}
    for name, other in others.items():
        cells = []
        for w in (1, 2):
            kept, dropped = (rate(group(other, flag), 4 * w) * 9 for flag in (True, False))
            cells.append(f"{w}w kept {kept:.2f} dropped {dropped:.2f}")
        print(f"beside: {name}{', address even for LDS.128' if EVEN_ADDRESS else ''}: " + ", ".join(cells) + " cycles a group of 9", flush=True)


if __name__ == "__main__":
    for part in sys.argv[3:] or ["ports", "switch", "order", "mixed", "loads", "branch", "fetch", "cold"]:
        globals()["random_ports" if part == "random" else part]()
