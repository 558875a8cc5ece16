#!/usr/bin/env python3
"""Finds the function unit's tables in recordings of it: fit_tables.py RECORDINGS > app/machine/lanes/mufu_tables.cpp

RECORDINGS is a folder that record_mufu has written. Needs numpy and scipy; takes two minutes.

Every function is the interpolator of Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator"
(ARITH 2005): the mantissa's upper bits choose a segment, the 17 below are x, and the result is
    sum = c0 + c1*x + c2*square(x)        in units of 2^-40,
truncated to a float's 24 bits. Each recorded output says between which integers its sum lies. Of each segment a linear
programme gives the c1 and c2 that keep farthest from all bounds; the integers nearest to them, and a c0, must keep
every one of the bounds, else the script stops: what it prints reproduces every output that it read.
"""
import sys

import numpy as np
from scipy.optimize import linprog

UNIT_BITS = 40
MANTISSAS = np.arange(1 << 23)


def square(x):
    """x*x/2^19, of whose folded partial products the columns below 2^19 are left out."""
    high = x >> 9
    return (high * high >> 1) + sum((x >> i & 1) * (high >> (9 - i)) for i in range(2, 9))


def bounds(words):
    """The integers [low, high) of which the positive floats `words` are what is left after cutting off."""
    mantissa = (words & 0x7FFFFF) | 0x800000
    shift = (words >> 23 & 0xFF) - 150 + UNIT_BITS
    up, down = np.maximum(shift, 0), np.minimum(np.maximum(-shift, 0), 40)
    ceil = lambda m: -(-m >> down) << up
    return np.where(words == 0, 0, ceil(mantissa)), np.where(words == 0, 1, ceil(mantissa + 1))


def programme(low, high, columns):
    """The coefficients of `columns` that keep farthest within low..high. Only the tightest rows are in the programme."""
    scale = np.abs(columns).max(0)
    scale[scale == 0] = 1
    columns = columns / scale
    middle = (low + high) / 2
    few = slice(None, None, max(1, len(low) // 4000))
    start = np.linalg.lstsq(columns[few], (middle - middle[0])[few], rcond=None)[0]
    line = columns @ start + middle[0]
    width = (high - low).max()
    low, high = (low - line) / width, (high - line) / width
    at_low = set(range(0, len(low), max(1, len(low) // 200)))
    at_high = set(at_low)
    while True:
        l, h = sorted(at_low), sorted(at_high)
        rows = np.vstack([np.c_[-columns[l], -np.ones(len(l))], np.c_[columns[h], -np.ones(len(h))]])
        for method in ("highs-ds", "highs-ipm"):
            found = linprog([0] * columns.shape[1] + [1], A_ub=rows, b_ub=np.r_[-low[l], high[h]],
                            bounds=[(None, None)] * columns.shape[1] + [(-5, None)], method=method).x
            if found is not None:
                break
        value = columns @ found[:-1]
        before = len(at_low) + len(at_high)
        for excess, rows_used in ((low - value, at_low), (value - high, at_high)):
            worst = np.argsort(-excess)[:40]
            rows_used.update(int(i) for i in worst if excess[i] > found[-1] + 1e-8)
        if len(at_low) + len(at_high) == before:
            return (found[:-1] * width + start) / scale


def segment(name, x, low, high, step1, step2, residue):
    """(c0, c1, c2) of one segment; c1 and c2 are multiples of the steps."""
    q = square(x)
    found = programme(low.astype(float), high - 0.001, np.c_[np.ones(len(x)), x * step1, q * step2])
    candidates = []
    for d1 in (0, -1, 1):
        for d2 in (0, -1, 1):
            c1, c2 = step1 * (round(found[1]) + d1), step2 * (round(found[2]) + d2)
            line = c1 * x + c2 * q
            first, last = int((low - line).max()), int((high - line).min()) - 1
            if first <= last:
                candidates.append((first, last, c1, c2))
    if len(candidates) != 1:
        sys.exit(f"{name}: {len(candidates)} pairs of integers fit, where one is to")
    first, last, c1, c2 = candidates[0]
    return constant(first, last, *residue), c1, c2


def constant(first, last, rest, bits):
    """The c0 in first..last that leaves `rest` modulo 2^bits, as the function's others do; else the first."""
    c0 = first + (rest - first) % (1 << bits)
    return c0 if c0 <= last else first


def table(name, mantissas, low, high, steps, residue, segment_bits=17):
    """A table with segments of 2^segment_bits mantissas."""
    number = mantissas >> segment_bits
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(number.max() + 2))
    rows = []
    for s in range(number.max() + 1):
        i = order[starts[s]:starts[s + 1]]
        x = (mantissas[i] & ((1 << segment_bits) - 1)) << (17 - segment_bits)
        rows.append(segment(f"{name} {s}", x, low[i], high[i], *steps, residue))
    return rows


def reciprocal(read):
    return table("rcp", MANTISSAS, *bounds(read("rcp_127")), (1, 2), (4046, 14), 16)


def reciprocal_root(read):
    # The first input, 1, is a special case.
    rows = []
    for name, first in (("rsq_127", 1), ("rsq_128", 0)):
        low, high = bounds(read(name))
        rows += table("rsq", MANTISSAS[first:], low[first:], high[first:], (1, 4), (0x3FFF, 14))
    return rows


def root(read):
    return [row for name in ("sqrt_127", "sqrt_128")
            for row in table("sqrt", MANTISSAS, *bounds(read(name)), (1, 2), (0x7FFF, 15))]


def power(read):
    return table("ex2", MANTISSAS, *bounds(read("ex2_127") - (1 << 23)), (4, 4), (24456, 15))


def logarithm(read):
    """The sum is truncated to units of 2^-36 before the exponent joins it; log2 below 0 is the complement of all bits."""
    up = lambda v: -(-v >> 4) << 4
    one = 1 << UNIT_BITS
    low8, high8 = bounds(read("lg2_128"))            # 1 + sum
    low7, high7 = map(up, bounds(read("lg2_127")))   # sum
    low6, high6 = map(up, bounds(read("lg2_126") & 0x7FFFFFFF))  # -1 + sum
    low7[0], high7[0] = 0, 1 << 30                   # the logarithm of 1 has a result of its own
    low = np.maximum(np.maximum(low8 - one, low7), one - high6)
    high = np.minimum(np.minimum(high8 - one, high7), one - low6)
    return table("lg2", MANTISSAS, low, high, (4, 8), (3348, 14))


def sine(read):
    """A quarter turn: cos of 1/4..1/2 turn is -sin of 0..1/4."""
    return table("sin", MANTISSAS, *bounds(read("cos_125") & 0x7FFFFFFF), (8, 8), (0, 15))


# Biased exponent and how many bits of the mantissa are dropped, so that 17 bits of the rest are x.
TANH_BINADES = ((119, 6), (120, 6), (121, 6), (122, 5), (123, 5), (124, 4), (125, 4), (126, 4), (127, 3), (128, 2),
                (129, 3))


def hyperbolic_tangent(read):
    inputs, outputs = read("sweep_in"), read("tanh_sweep")
    rows = []
    for exponent, dropped in TANH_BINADES:
        try:
            mantissas, words = MANTISSAS[::1 << dropped], read(f"tanh_{exponent}")[::1 << dropped]
        except FileNotFoundError:
            print(f"tanh {exponent}: from the sweep's 2048 inputs", file=sys.stderr)
            here = (inputs >> 23 & 0xFF) == exponent
            mantissas, words = inputs[here] & 0x7FFFFF, outputs[here] & 0x7FFFFFFF
        rows += table("tanh", mantissas >> dropped, *bounds(words), (2, 4), (0, 16))
    return rows


TABLES = (
    ("kRcp", "1 / m, of m in [1, 2)", reciprocal),
    ("kRsq", "1 / sqrt(m), of m in [1, 2) and then in [2, 4)", reciprocal_root),
    ("kSqrt", "sqrt(m), of m in [1, 2) and then in [2, 4)", root),
    ("kEx2", "2^f, of f in [0, 1)", power),
    ("kLg2", "log2(m), of m in [1, 2)", logarithm),
    ("kSin", "the sine of [0, 1/4) turns", sine),
    ("kTanh", "tanh, of [2^-8, 2^-7) … [4, 8), in 1 1 1 2 2 4 4 4 8 16 8 segments", hyperbolic_tangent),
)
HEADER = """// Written by tests/machine/mufu/fit_tables.py from recordings of an NVIDIA H200, not to be edited. Its
// README.md has the commands. One segment a line: c0, c1, c2, in units of 2^-40.
#include "machine/lanes/mufu_tables.h"

// clang-format off
namespace gemmscope::machine {
"""


def main():
    folder = sys.argv[1]
    read = lambda name: np.fromfile(f"{folder}/{name}.u32", "<u4").astype(np.int64)
    print(HEADER)
    for name, meaning, fit in TABLES:
        rows = fit(read)
        print(f"// {meaning}\nconst std::array<MufuSegment, {len(rows)}> {name}Segments = {{{{")
        for c0, c1, c2 in rows:
            print(f"    {{0x{c0:011x}, {c1}, {c2}}},")
        print("}};\n")
    print("}  // namespace gemmscope::machine")


if __name__ == "__main__":
    main()
