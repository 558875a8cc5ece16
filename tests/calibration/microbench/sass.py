"""Writes sm_90 instructions over the runs of FFMAs of a cubin (templates.cu)."""
import struct

RZ = 255


def control(stall=1, reuse=0, write=7, read=7, wait=0, stay=1):
    """Bits 105 and up: `stay` is the yield flag as ptxas sets it nearly always; 0 makes the scheduler take another warp. Stall
    counts above 11 only hold together with 0."""
    if stall > 11:
        stay = 0
    return (stall | stay << 4 | write << 5 | read << 8 | wait << 11 | reuse << 17) << 41


def word(low, high):
    return struct.pack("<QQ", low & (1 << 64) - 1, high & (1 << 64) - 1)


def ffma(d, a, b, c, **c_):
    return word(0x7223 | d << 16 | a << 24 | b << 32, c | control(**c_))


def ffma_immediate(d, a, c, **c_):
    return word(0x7423 | d << 16 | a << 24 | 0x3F800000 << 32, c | control(**c_))


def lop3(d, a, b, c, **c_):
    return word(0x7212 | d << 16 | a << 24 | b << 32, c | 0x078E9600 | control(**c_))


def imad(d, a, b, c, **c_):
    return word(0x7224 | d << 16 | a << 24 | b << 32, c | 0x078E0200 | control(**c_))


def iadd3(d, a, b, c, **c_):
    return word(0x7210 | d << 16 | a << 24 | b << 32, c | 0x07FFE000 | control(**c_))


WIDTH = {32: 4, 64: 5, 128: 6}


def lds(d, address, offset, bits, **c_):
    return word(0x7984 | d << 16 | address << 24 | offset << 40, WIDTH[bits] << 9 | control(**c_))


def sts(address, source, offset, bits, **c_):
    return word(0x7388 | address << 24 | source << 32 | offset << 40, WIDTH[bits] << 9 | control(**c_))


def shift_left(d, a, count, **c_):
    """SHF.L.U32 d, a, count, RZ"""
    return word(0x7819 | d << 16 | a << 24 | count << 32, RZ | 0x00000600 | control(**c_))


def shift_right(d, a, count, **c_):
    """SHF.R.U32.HI d, RZ, count, a"""
    return word(0x7819 | d << 16 | RZ << 24 | count << 32, a | 0x00011600 | control(**c_))


def nop(**c_):
    return word(0x7918, control(**c_))


def branch_over(instructions, **c_):
    """BRA to `instructions` further on; 0 is the next one."""
    steps = instructions * 4
    return word(0x7947 | (steps & 255) << 16 | (steps >> 8) << 34, 0x03800000 | control(**c_))


class Template:
    def __init__(self, cubin, kernel):
        self.data = bytearray(cubin)
        shoff, = struct.unpack_from("<Q", self.data, 40)
        entry, count, names = struct.unpack_from("<HHH", self.data, 58)
        sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, shoff + i * entry) for i in range(count)]
        strings = sections[names][4]
        for s in sections:
            name = self.data[strings + s[0]:self.data.index(0, strings + s[0])].decode()
            if name == ".text." + kernel:
                self.begin, self.end = s[4], s[4] + s[5]
        self.kernel = kernel
        # Runs of FFMAs as their places in the file; the compiler puts single other instructions between them, which stay.
        places = [at for at in range(self.begin, self.end, 16)
                  if struct.unpack_from("<H", self.data, at)[0] & 0xFFF == 0x223]
        self.runs = [[places[0]]]
        for place in places[1:]:
            if place - self.runs[-1][-1] <= 32:
                self.runs[-1].append(place)
            else:
                self.runs.append([place])

    def run(self, length):
        found = [r for r in self.runs if len(r) == length]
        if len(found) != 1:
            raise ValueError(f"{self.kernel}: no run of {length} among {[len(r) for r in self.runs]}")
        return found[0]

    def destinations(self, run):
        """The registers that the run writes: what replaces it may use them as it likes."""
        return [self.data[place + 2] for place in run]

    def write(self, run, make):
        """make(i) gives instruction i; the first one waits for all scoreboards."""
        for i, place in enumerate(run):
            low, high = struct.unpack("<QQ", make(i))
            if i == 0:
                high |= 0x3F << 52
            struct.pack_into("<QQ", self.data, place, low, high)

    def slow_others(self, run):
        """Gives the compiler's instructions within a run stall counts that suit whatever follows them now."""
        kept = set(range(run[0], run[-1], 16)) - set(run)
        for place in kept:
            high, = struct.unpack_from("<Q", self.data, place + 8)
            struct.pack_into("<Q", self.data, place + 8, high & ~(0x1F << 41) | 13 << 41)


class Registers:
    """Even and odd ones (the two banks), and aligned quads for wide loads; `quads` of them are kept apart."""

    def __init__(self, free, quads=4):
        free = set(free)
        self.quads = [q for q in range(8, 250, 4) if all(q + i in free for i in range(4))][:quads]
        left = sorted(free - {q + i for q in self.quads for i in range(4)})
        self.even = [r for r in left if r % 2 == 0]
        self.odd = [r for r in left if r % 2]
