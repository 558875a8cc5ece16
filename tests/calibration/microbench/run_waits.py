#!/usr/bin/env python3
"""What single instructions of a kernel wait for on a GPU, by Nsight Compute's samples of the program counter.

    run_waits.py FOLDER     FOLDER is what gemmscope_without wrote; prints what results/barriers.txt and waits.txt hold

barriers: where more than a tenth of a kernel's barrier stalls lie: the barrier, how many instructions the warp goes on with behind
it and which, and the one that waits. waits: what takes more than 2 % of all samples, in cycles an execution.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys

REASONS = {"barrier": "barrier", "long_sb": "long_scoreboard", "short_sb": "short_scoreboard", "mio": "mio_throttle",
           "lg": "lg_throttle", "dispatch": "dispatch_stall", "no_inst": "no_instruction", "branch_resolving": "branch_resolving"}
NCU = os.environ.get("GEMMSCOPE_NCU", "ncu")
HERE = os.path.dirname(os.path.abspath(__file__))


def samples(folder, name):
    """A dictionary for each instruction of the case's seventh launch."""
    report = f"/tmp/gemmscope_{name}.ncu-rep"
    subprocess.run([NCU, "--clock-control", "none", "--cache-control", "none", "--launch-skip", "6", "--launch-count", "1", "--section",
                    "SourceCounters", "--warp-sampling-interval", "1", "-f", "-o", report, sys.executable, f"{HERE}/run_without.py",
                    folder, "case=" + name, "none"], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run([NCU, "-i", report, "--page", "source", "--csv", "--print-units", "base"], check=True, capture_output=True,
                          text=True).stdout
    rows = list(csv.reader(io.StringIO(text)))
    first = next(i for i, row in enumerate(rows) if "Source" in row)
    return [dict(zip(rows[first], row)) for row in rows[first + 1:] if len(row) == len(rows[first])]


def opcode(row):
    return re.sub(r"^@!?U?P\w+\s+", "", row["Source"].strip()).split()[0]


def main(folder):
    barriers, waits = [], []
    for line in open(f"{folder}/cases.txt"):
        case = json.loads(line)
        title = re.sub(r"\s+", " ", case["title"])
        rows = samples(folder, case["name"])
        at = lambda row, column: float(row[column] or 0)
        total = {reason: sum(at(row, "stall_" + reason) for row in rows) for reason in (*REASONS, "selected")}
        everything = sum(at(row, "# Samples") for row in rows)
        issued = sum(at(row, "Instructions Executed") for row in rows)
        places = [i for i, row in enumerate(rows) if opcode(row).startswith("BAR")]
        for i, row in enumerate(rows):
            waiting = at(row, "stall_barrier")
            if waiting > 0.1 * total["barrier"] and total["barrier"] > 0.005 * total["selected"]:
                place = max(p for p in places if p <= i)
                behind = sorted({opcode(r).split(".")[0] for r in rows[place + 1:i]})
                barriers.append(f"{title},{place},{i - place - 1},{' '.join(behind)},{opcode(row).split('.')[0]},"
                                f"{waiting / total['barrier']:.2f}")
            for reason, word in REASONS.items():
                if at(row, "stall_" + reason) > 0.02 * everything and at(row, "Instructions Executed") > 0:
                    cycles = at(row, "stall_" + reason) / total["selected"] * issued / at(row, "Instructions Executed")
                    waits.append(f"{title},{i},{opcode(row)},{word},{cycles:.0f}")
    print("case,barrier,instructions_behind,these,waits,share", *barriers, sep="\n")
    print("case,instruction,opcode,reason,cycles", *waits, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
