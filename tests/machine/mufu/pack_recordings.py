#!/usr/bin/env python3
"""What the test keeps of recordings: pack_recordings.py RECORDINGS ORIGIN > tests/machine/mufu/recorded.txt

RECORDINGS is a folder that record_mufu has written, ORIGIN says on which GPU and when. Of each file: the function, what
was recorded, how many words, a checksum of all of them, and some of the words, which say where a difference is. Needs numpy.
"""
import pathlib
import sys

import numpy as np

SAMPLES = {1 << 23: 64, 1 << 20: 64}  # of others 512


def checksum(words):
    """The sum modulo 2^64 of splitmix64's finalizer of (position, word)."""
    x = np.arange(len(words), dtype=np.uint64) << np.uint64(32) | words.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ x >> np.uint64(shift)) * np.uint64(factor)
    return int((x ^ x >> np.uint64(31)).sum(dtype=np.uint64))


def main():
    print(f"# {sys.argv[2]}")
    for file in sorted(pathlib.Path(sys.argv[1]).glob("*.u32")):
        function, what = file.stem.rsplit("_", 1)
        if what == "in":
            continue
        words = np.fromfile(file, "<u4")
        samples = SAMPLES.get(len(words), 512)
        step = len(words) // samples
        some = words[[s * step + s * 40503 % step for s in range(samples)]]
        print(function, what, len(words), f"{checksum(words):016x}", samples)
        for line in some.reshape(-1, 16):
            print(" ".join(f"{word:08x}" for word in line))


if __name__ == "__main__":
    main()
