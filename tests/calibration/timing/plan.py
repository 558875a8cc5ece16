#!/usr/bin/env python3
"""Writes which launches are timed and which are profiled, from points.csv and the descriptions of the kernels.

    plan.py FOLDER    writes FOLDER/record_SIZE.txt (one --also of `gemmscope record` a line), FOLDER/ncu_*.csv, and split.csv
                      beside this program

split.csv says of each kernel, toggle set and size whether it is for fitting the timing model or for checking it: of the
workbench's points by their number, of the ladder everything at 2048 x 2048 x 1024 with the defaults and every other toggle set
there (in the order of this file), and every other lab. All other sizes, and the workbench's single changes, are for checking.
"""
import csv
import itertools
import os
import random
import sys

from choose_points import ROOT, is_legal, toggles_of

HERE = os.path.dirname(os.path.abspath(__file__))
MAIN = "2048x2048x1024"
OTHERS = ["512", "1024", "4096", "8192", "16384x512x512", "256x256x16384"]


def toggle_text(toggles, values):
    return ";".join(f"{t[0]}={v}" for t, v in zip(toggles, values) if v != t[2])


def ladder_sets():
    generator = random.Random(12)
    sets = []
    for name in sorted(os.listdir(f"{ROOT}/kernels/ladder")):
        toggles, rules = toggles_of(f"{ROOT}/kernels/ladder/{name}")
        texts = [toggle_text(toggles, values) for values in itertools.product(*[t[1] for t in toggles])
                 if is_legal(rules, {t[0]: v for t, v in zip(toggles, values)})]
        texts.sort(key=lambda text: (text.count("="), text))
        if len(texts) > 16:  # the tensor kernels: one value changed, and some of the rest
            rest = [t for t in texts if t.count("=") > 1]
            texts = [t for t in texts if t.count("=") <= 1] + sorted(generator.sample(rest, 10))
        sets += [(name[:-3], text) for text in texts]
    return sets


def single_changes(folder):
    sets = []
    for name in sorted(os.listdir(f"{ROOT}/kernels/{folder}")):
        toggles, _ = toggles_of(f"{ROOT}/kernels/{folder}/{name}")
        sets.append((name[:-3], ""))
        sets += [(name[:-3], f"{t[0]}={v}") for t in toggles for v in t[1] if v != t[2]]
    return sets


def main():
    folder = sys.argv[1]
    with open(f"{HERE}/points.csv") as lines:
        points = [("workbench", row["toggles"]) for row in csv.DictReader(l for l in lines if l[0] != "#")]
    ladder, labs, neighbours = ladder_sets(), single_changes("labs"), single_changes("workbench")
    defaults = [s for s in ladder if s[1] in ("", "STAGES=4")]
    some_points = [p for i, p in enumerate(points) if i % 8 in (0, 1)] + [points[i] for i in (66, 71, 75, 76, 78, 79)]
    few_points = [p for i, p in enumerate(points) if i in (5, 11, 18, 51, 66, 70)]
    timed = {MAIN: ladder + points + neighbours + labs}
    for size in OTHERS:
        timed[size] = defaults + some_points
    single = [s for s in ladder if s[1].count("=") <= 1]
    timed["1024"] = single + some_points
    # The largest take seconds each to check: what assets/recordings/h200.json has at 4096 is not timed again.
    timed["4096"] = [s for s in single if s not in defaults and int(s[0][:2]) > 4][::2] + some_points[::2]
    timed["8192"] = [s for s in defaults if s[0][:2] in ("09", "11", "12", "13", "14", "15") and
                     (s[0][:2] < "14" or s[1])] + few_points[2:5]
    half = {("workbench", text, MAIN): ("check" if i % 2 else "fit") for i, (_, text) in enumerate(points)}
    number = 0
    for kernel, text in ladder:
        half[(kernel, text, MAIN)] = "fit" if text == "" or number % 2 == 0 else "check"
        number += text != ""
    for i, (kernel, text) in enumerate(labs):
        half[(kernel, text, MAIN)] = "check" if i % 2 else "fit"
    for size, sets in timed.items():
        sets = list(dict.fromkeys(sets))
        with open(f"{folder}/record_{size}.txt", "w") as out:
            for kernel, text in sets:
                out.write(f"{kernel}:{text.replace(';', ',')}\n" if text else f"{kernel}\n")
        for kernel, text in sets:
            half.setdefault((kernel, text, size), "check")
    for kernel, text in defaults:
        half.setdefault((kernel, text, "4096"), "check")
    with open(f"{HERE}/split.csv", "w") as out:
        out.write("kernel,toggles,size,half\n")
        for (kernel, text, size), which in half.items():
            out.write(f"{kernel},{text},{size},{which}\n")
    chosen = [(s, MAIN) for s in defaults]
    chosen += [(p, MAIN) for i, p in enumerate(points) if i % 5 == 0 or i in (66, 71, 72, 73, 76, 78, 79)]
    chosen += [(s, MAIN) for s in single if s not in defaults] + [(("workbench", ""), MAIN)]
    chosen += [(s, MAIN) for i, s in enumerate(labs) if s[1] == "" or i % 4 == 0]
    chosen += [(s, "1024x1024x1024") for s in defaults] + [(s, "256x256x16384") for s in defaults]
    # In parts, so that each is written as soon as it is done.
    parts = [list(dict.fromkeys(chosen))[i:i + 35] for i in range(0, len(chosen), 35)]
    for number, part in enumerate(parts, 1):
        with open(f"{folder}/ncu_{number}.csv", "w") as out:
            for (kernel, text), size in part:
                out.write(f"{kernel},{text},{size.replace('x', ',')}\n")
    with open(f"{folder}/ncu_cold.csv", "w") as out:
        for kernel, text in defaults:
            out.write(f"{kernel},{text},{MAIN.replace('x', ',')}\n")


if __name__ == "__main__":
    main()
