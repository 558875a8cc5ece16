#!/usr/bin/env python3
"""What delays HMMAs: run_tensor.py TENSOR.cubin tensor|beside. One SM unless a line says otherwise.

tensor: cycles of a sub-core for an HMMA, of each kernel of tensor.cu with 1 to 8 warps, also without reuse flags.
beside: in the place of every 8th or 4th of 128 HMMAs stands another instruction: what it costs, if an HMMA takes 6 cycles.
"""
import re
import struct
import sys

from driver import Device
from sass import RZ, control, ffma, iadd3, imad, lds, lop3, nop, shift_left, sts

HMMA, REUSE, STALL = 0x23C, 0xF << 58, 0xF << 41
# Opcodes of what the compiler puts among the HMMAs of the kernels beside_…: STS has one with a uniform register.
LDSM, LDS, STS, UNIFORM_STS, LDG, OTHERS = 0x83B, 0x984, 0x388, 0x988, 0x981, (0x212, 0x202, 0x802)
ACCESSES = (LDSM, LDS, STS, UNIFORM_STS, LDG)
SHARED = 48 * 3 << 10
device = Device()
cubin = open(sys.argv[1], "rb").read()


def kernels(data):
    """Name, begin and end of the code of each kernel."""
    shoff, = struct.unpack_from("<Q", data, 40)
    entry, count, names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * entry) for i in range(count)]
    strings = sections[names][4]
    for s in sections:
        name = data[strings + s[0]:data.index(0, strings + s[0])].decode()
        if name.startswith(".text."):
            yield name[6:], s[4], s[4] + s[5]


def opcode(data, at):
    return struct.unpack_from("<H", data, at)[0] & 0xFFF


def change_control(data, at, bits, value):
    high, = struct.unpack_from("<Q", data, at + 8)
    struct.pack_into("<Q", data, at + 8, high & ~bits | value)


def without_reuse():
    data = bytearray(cubin)
    for _, begin, end in kernels(cubin):
        for at in range(begin, end, 16):
            if opcode(data, at) == HMMA:
                change_control(data, at, REUSE, 0)
    return data


def cycles(function, warps, passes, blocks=1):
    """The quickest of some launches, first start to last end of the first block."""
    spans = []
    for _ in range(5):
        device.launch(function, blocks, 32 * warps, [device.out, passes, device.scratch], SHARED)
        v = device.read(device.out, 2 * warps)
        spans.append(max(v[1::2]) - min(v[0::2]))
    return min(spans)


def of_a_pass(function, warps, blocks=1):
    return (cycles(function, warps, 192, blocks) - cycles(function, warps, 64, blocks)) / 128 / max(1, warps / 4)


def tensor():
    for what, data in (("as compiled", cubin), ("without reuse flags", without_reuse())):
        module = device.module(data)
        for name, _, _ in kernels(cubin):
            if name.startswith("beside"):
                continue
            rows, columns = map(int, re.search(r"_(\d+)x(\d+)", name).groups())
            function = device.function(module, name, SHARED)
            cells = [f"{warps} warps {of_a_pass(function, warps) / (4 * rows * columns):.3f}" for warps in (1, 2, 4, 8)]
            cells.append(f"8 warps on each of 132 SMs {of_a_pass(function, 8, 132) / (4 * rows * columns):.3f}")
            print(f"tensor: {what}: {name}: " + ", ".join(cells), flush=True)
        device.unload(module)


def replaced(kernel, access, make, every):
    """The cubin with make(D, access) in the place of each `every`th HMMA; D: the first of the four registers that it wrote."""
    data = bytearray(cubin)
    begin, end = next((b, e) for name, b, e in kernels(cubin) if name == kernel)
    products = [at for at in range(begin, end, 16) if opcode(data, at) == HMMA]
    template = None
    for at in range(products[0] - 12 * 16, products[-1], 16):
        if opcode(data, at) == access and template is None:
            template = bytes(data[at:at + 16])
        if at > products[0] and opcode(data, at) in ACCESSES + OTHERS:
            data[at:at + 16] = nop()
    for i, at in enumerate(products):
        if make and i % every == every - 1:
            data[at:at + 16] = make(data[at + 2], template)
        elif make and i % every == every - 2:
            change_control(data, at, STALL, 5 << 41)
    return data, len(products)


def same(shift):
    """The compiler's access, with D in the field at this bit and without scoreboards."""
    def make(d, template):
        low, high = struct.unpack("<QQ", template)
        return struct.pack("<QQ", low & ~(0xFF << shift) | d << shift, high & (1 << 41) - 1 | control())
    return make


def beside():
    plain = "beside_4x8_sts_128"
    alone = {"NOP": lambda d: nop(), "IADD3 of RZ": lambda d: iadd3(d, RZ, RZ, RZ), "IADD3 even": lambda d: iadd3(d, d, RZ, RZ),
             "IADD3 odd": lambda d: iadd3(d, d + 1, RZ, RZ), "IADD3 even, odd": lambda d: iadd3(d, d, d + 1, RZ),
             "IADD3 even, even": lambda d: iadd3(d, d, d + 2, RZ), "IADD3 even, odd, even": lambda d: iadd3(d, d, d + 1, d + 2),
             "IMAD even, odd": lambda d: imad(d, d, d + 1, RZ), "IMAD even, odd, even": lambda d: imad(d, d, d + 1, d + 2),
             "FFMA even, odd, even": lambda d: ffma(d, d, d + 1, d + 2), "FFMA of RZ": lambda d: ffma(d, RZ, RZ, RZ),
             "LOP3 even": lambda d: lop3(d, d, RZ, RZ), "shift even": lambda d: shift_left(d, d, 3),
             "LDS.32 [RZ]": lambda d: lds(d, RZ, 1024, 32), "LDS.128 [RZ]": lambda d: lds(d, RZ, 1024, 128),
             "STS.32 [RZ], RZ": lambda d: sts(RZ, RZ, 1024, 32)}
    cases = [(name, plain, UNIFORM_STS, lambda d, template, make=make: make(d)) for name, make in alone.items()]
    cases += [("STS.128 of RZ", plain, UNIFORM_STS, lambda d, template: same(32)(RZ, template)),
              ("STS.128", plain, UNIFORM_STS, same(32)), ("STS.32", "beside_4x8_sts_32", STS, same(32))]
    cases += [(f"{name}", f"beside_4x8_{name}", access, same(16))
              for access, names in ((LDSM, ("ldsm_4", "ldsm_4_transposed", "ldsm_2", "ldsm_1")), (LDS, ("lds_32", "lds_64", "lds_128")),
                                    (LDG, ("ldg_32", "ldg_128"))) for name in names]

    def measure(kernel, access, make, every):
        data, products = replaced(kernel, access, make, every)
        module = device.module(data)
        function = device.function(module, kernel, SHARED)
        passes = {warps: of_a_pass(function, warps) for warps in (4, 8)}
        device.unload(module)
        return passes, products

    base, products = measure(plain, UNIFORM_STS, None, 1)
    print("beside: nothing: " + ", ".join(f"{warps} warps {base[warps] / products:.3f} an HMMA" for warps in base), flush=True)
    for name, kernel, access, make in cases:
        cells = []
        for every in (8, 4):
            passes, products = measure(kernel, access, make, every)
            others = products // every
            cells += [f"1 in {every}, {warps} warps {(passes[warps] - base[warps] + 6 * others) / others:+.2f}" for warps in passes]
        print(f"beside: {name}: " + ", ".join(cells), flush=True)


globals()[sys.argv[2]]()
