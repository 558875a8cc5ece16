#!/usr/bin/env python3
"""Chooses what the timing model is fitted to and checked against, before anything is measured.

    choose_points.py GEMMSCOPE > points.csv

80 toggle sets of the workbench, drawn with a fixed seed: 65 from all legal values, then 15 whose spills (LDL and STL) are at
least a twentieth of the executed warp instructions. Points with an even index are for fitting, those with an odd one for
checking. Of the ladder, the defaults at 2048 x 2048 x 1024 and every other toggle set there are for fitting. GEMMSCOPE names
the program, which compiles each candidate and counts its instructions.
"""
import json
import random
import re
import subprocess
import sys

ROOT = __file__.rsplit("/tests/", 1)[0]
SEED = 20261122
GENERAL, SPILLING = 65, 15
HEAVY = 0.05


def toggles_of(path):
    text = "".join(line[3:].strip() + " " for line in open(path) if line.startswith("//!"))
    toggles = []
    for part in text.split("[[toggles]]")[1:]:
        name = re.search(r'name = "(\w+)"', part).group(1)
        values = [int(v) for v in re.search(r"values = \[([^\]]*)\]", part).group(1).split(",") if v.strip()]
        toggles.append((name, values, int(re.search(r"default = (-?\d+)", part).group(1))))
    rules = re.findall(r'when = (?:"""(.*?)"""|"(.*?)")', text.split("[[illegal]]", 1)[1]) if "[[illegal]]" in text else []
    return toggles, [a or b for a, b in rules]


def is_legal(rules, point):
    # As in C: whole numbers, && and ||.
    def holds(rule):
        rule = rule.replace("&&", " and ").replace("||", " or ").replace("/", "//")
        return eval(rule, {"min": min, "max": max, "SM": 90}, dict(point))
    return not any(holds(rule) for rule in rules)


def spill_share(program, point):
    command = [program, "counters", "workbench", "--arch", "sm_90", "--m", "256", "--n", "1024", "--k", "128", "--json"]
    for name, value in point.items():
        command += ["--toggle", f"{name}={value}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    counters = json.loads(done.stdout)["counters"]
    opcodes = counters["by_opcode"]
    return (opcodes.get("LDL", 0) + opcodes.get("STL", 0)) / counters["warp_instructions"]


def text_of(point, toggles):
    return ";".join(f"{name}={point[name]}" for name, _, default in toggles if point[name] != default)


def main():
    program = sys.argv[1]
    generator = random.Random(SEED)
    toggles, rules = toggles_of(f"{ROOT}/kernels/workbench/workbench.cu")
    points, seen = [], set()

    def draw(bias):
        while True:
            point = {name: generator.choice(values) for name, values, _ in toggles}
            point.update({name: generator.choice(values) for name, values in bias.items()})
            text = text_of(point, toggles)
            if text not in seen and is_legal(rules, point):
                seen.add(text)
                return point, text

    while len(points) < GENERAL:
        point, text = draw({})
        share = spill_share(program, point)
        if share < HEAVY:
            points.append((text, share))
    while len(points) < GENERAL + SPILLING:
        point, text = draw({"BLOCK_M": [64, 128, 256], "BLOCK_N": [64, 128, 256], "THREAD_M": [4, 8],
                            "THREAD_N": [8, 16], "MIN_BLOCKS": [2, 3, 4], "COARSENING": [1, 1, 2]})
        share = spill_share(program, point)
        if share >= HEAVY:
            points.append((text, share))
    print("# seed", SEED, "- index, half, share of LDL and STL among warp instructions at 256 x 1024 x 128, toggles")
    print("index,half,spill_share,toggles")
    for index, (text, share) in enumerate(points):
        print(f"{index},{'check' if index % 2 else 'fit'},{share:.4f},{text}")


if __name__ == "__main__":
    main()
