#!/usr/bin/env python3
"""Makes one compact table of recordings: to_csv.py [--unseen KERNEL,KERNEL] RECORDING.json… > times_h200.csv

Of each kernel, toggle set and size the median, the least and the spread (half the distance between the quartiles, in per cent of
the median) of its samples, each the median over launches in a row; the SM clock of the median sample; and whether the timing
model may be fitted to it (split.csv). Of what two recordings have, the first counts; what split.csv does not name is left out.
With --unseen the table is of these kernels instead, which split.csv does not name; their half is "unseen".
"""
import csv
import json
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(f"{HERE}/split.csv") as lines:
        half = {(r["kernel"], r["toggles"], r["size"]): r["half"] for r in csv.DictReader(lines)}
    order = {key: i for i, key in enumerate(half)}
    rows, seen, device, dates = [], set(), {}, set()
    paths, unseen = sys.argv[1:], []
    if paths[0] == "--unseen":
        unseen, paths = paths[1].split(","), paths[2:]
    for path in paths:
        recording = json.load(open(path))
        device = recording["device"]
        dates.add(recording["date"])
        for run in recording["runs"]:
            size = f"{run['m']}x{run['n']}x{run['k']}"
            name = str(run["m"]) if run["m"] == run["n"] == run["k"] else size
            for variant in run["variants"]:
                if not variant.get("samples"):
                    continue
                # In the order of split.csv, which is that of the kernel's description.
                toggles = variant.get("toggles", {})
                texts = [t for k, t, s in half if k == variant["id"] and s == name
                         and dict(p.split("=") for p in t.split(";") if p) == {a: str(b) for a, b in toggles.items()}]
                text = texts[0] if texts else ";".join(f"{a}={b}" for a, b in toggles.items())
                key = (variant["id"], text, name)
                wanted = variant["id"] in unseen if unseen else key in half or variant["id"].startswith("cublas")
                if key in seen or not wanted:
                    continue
                seen.add(key)
                ms = sorted(s[1] for s in variant["samples"])
                quarters = statistics.quantiles(ms, n=4)
                median = statistics.median(ms)
                clock = statistics.median(s[2] for s in variant["samples"])
                rows.append((order.get(key, 10**9), [
                    variant["id"], text, name, f"{median:.6g}", f"{ms[0]:.6g}", f"{50 * (quarters[2] - quarters[0]) / median:.2f}",
                    len(ms), f"{clock:.0f}", "unseen" if unseen else half.get(key, "")]))
    print(f"# {device['name']}, driver {device['driver']}, CUDA {device['cuda']}, {device['library']}, {', '.join(sorted(dates))};"
          " gemmscope record with the lists of plan.py (measure.sh), launches in a row, L2 warm")
    print("kernel,toggles,size,ms,least_ms,spread_percent,samples,mhz,half")
    for _, row in sorted(rows, key=lambda row: row[0]):
        print(",".join(str(field) for field in row))


main()
