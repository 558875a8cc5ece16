#!/usr/bin/env python3
"""When and where the blocks of a kernel run, and at which clock.

    run_blocks.py make FOLDER CASES     compiles each case with nvcc (no GPU needed); CASES has a line a case:
                                        KERNEL,A=1;B=2,2048x2048x1024[,plain]
    run_blocks.py run FOLDER OUTPUT     OUTPUT/blocks.csv and OUTPUT/blocks_raw.csv
    run_blocks.py ends FOLDER OUTPUT    from blocks_raw.csv: when the blocks end that an SM got first, in the order in which they came
    run_blocks.py launch FOLDER         launches each case once, for Nsight Compute; CASES="KERNEL KERNEL:TOGGLES" chooses

Each kernel is compiled as it is, and once more with its body in a kernel that notes of each block the SM, the global timer and
the SM's clock at its begin and end. Both are launched in a row for some milliseconds, as `gemmscope record` does.
"""
import ctypes
import json
import os
import re
import statistics
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ.get("GEMMSCOPE_SOURCE", HERE.rsplit("/tests/", 1)[0])
PRODUCT = [{"name": n, "matrix": n} for n in "ABC"] + [{"name": n, "scalar": n} for n in ("alpha", "beta", "M", "N", "K")]
MOST_LOGGED = 20000

EPILOGUE = """
__device__ __forceinline__ long long log_time() { long long x; asm volatile("mov.u64 %%0, %%globaltimer;" : "=l"(x)); return x; }
__device__ __forceinline__ unsigned log_sm() { unsigned x; asm volatile("mov.u32 %%0, %%smid;" : "=r"(x)); return x; }
extern "C" __global__ void %s logged(%s, long long* log_) {
  const unsigned block_ = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const bool first_ = threadIdx.x == 0 && threadIdx.y == 0;
  if (first_) log_[5 * block_] = log_sm(), log_[5 * block_ + 1] = log_time(), log_[5 * block_ + 2] = clock64();
  %s_body(%s);
  __syncthreads();
  if (first_) log_[5 * block_ + 3] = clock64(), log_[5 * block_ + 4] = log_time();
}
"""


def find(kernel):
    for folder in ("ladder", "labs", "workbench"):
        path = f"{ROOT}/kernels/{folder}/{kernel}.cu"
        if os.path.exists(path):
            return path
    raise RuntimeError(f"no kernel {kernel}")


def number(expression, names):
    if not isinstance(expression, str):
        return int(expression)
    text = " ".join(expression.split()).replace("&&", " and ").replace("||", " or ").replace("/", "//")
    return int(eval(text, {"min": min, "max": max, "ceil_div": lambda a, b: -(-a // b)}, names))


def cases_of(line):
    """The launches of a case."""
    kernel, toggles, size, *rest = line.strip().split(",")
    text = open(find(kernel)).read()
    about = tomllib.loads("\n".join(l[3:].lstrip(" ") for l in text.splitlines() if l.startswith("//!")))
    m, n, k = ([int(x) for x in size.split("x")] * 3)[:3]
    names = {t["name"]: t.get("default", t["values"][0]) for t in about.get("toggles", [])}
    chosen = dict(t.split("=") for t in toggles.split(";") if t)
    names |= {name: int(value) for name, value in chosen.items()}
    names |= {"M": m, "N": n, "K": k, "SM": 90}
    parameters = about.get("parameters", PRODUCT)
    for part in about.get("launches", [about]):
        if "when" in part and not number(part["when"], names):
            continue
        three = lambda key: ([number(x, names) for x in part[key]] + [1, 1])[:3]
        arguments = []
        for p in parameters:
            if "matrix" in p:
                arguments.append(["matrix", p["matrix"], {"A": m * k, "B": k * n, "C": m * n}[p["matrix"]]])
            elif "buffer" in p:
                arguments.append(["buffer", p["name"], number(p["buffer"], names)])
            elif p["scalar"] in ("alpha", "beta"):
                arguments.append(["float", p["name"], 1.0 if p["scalar"] == "alpha" else 0.0])
            else:
                arguments.append(["int", p["name"], number(p["scalar"], names)])
        yield {"kernel": kernel, "toggles": toggles, "size": size, "entry": part["entry"], "block": three("block"), "grid": three("grid"),
               "shared": number(part.get("shared", "0"), names), "arguments": arguments, "defines": chosen, "plain": rest == ["plain"],
               "bf16": "bfloat16* A" in text}


def with_log(text, case):
    entry = case["entry"]
    bounds = r"(__launch_bounds__\((?:[^()]|\([^()]*\))*\))?"
    found = re.search(r'extern "C" __global__ void\s*' + bounds + r"\s*" + entry + r"\(([^)]*)\)\s*\{", text)
    body = f"__device__ __forceinline__ void {entry}_body({found.group(2)}) {{"
    names = ", ".join(a[1] for a in case["arguments"])
    return text[:found.start()] + body + text[found.end():] + EPILOGUE % (found.group(1) or "", found.group(2), entry, names)


def make(folder, path):
    os.makedirs(folder, exist_ok=True)
    cases = [case for line in open(path) if line.strip() for case in cases_of(line)]
    def compile_case(index):
        case = cases[index]
        text = open(find(case["kernel"])).read()
        for name, source in (("plain", text), ("logged", None if case["plain"] else with_log(text, case))):
            if source is None:
                continue
            stem = f"{folder}/{index:03}_{name}"
            open(stem + ".cu", "w").write(source)
            command = ["nvcc", "-cubin", "-arch", "sm_90", "-std=c++17", f"-I{ROOT}/kernels/include", "-o", stem + ".cubin", stem + ".cu"]
            done = subprocess.run(command + [f"-D{k}={v}" for k, v in case["defines"].items()], capture_output=True, text=True)
            os.remove(stem + ".cu")
            if done.returncode:
                print(case["kernel"], case["toggles"], name, done.stderr[:2000])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_case, range(len(cases))))
    json.dump(cases, open(f"{folder}/cases.json", "w"))


class Runner:
    def __init__(self, folder):
        from driver import Device
        self.folder, self.device = folder, Device()
        self.cases = json.load(open(f"{folder}/cases.json"))
        self.buffers = {}

    def buffer(self, name, floats):
        import random
        size = max(4, 4 * floats)
        if (name, size) not in self.buffers:
            pointer = self.device.allocate((size + 4095) // 4096 * 4096)
            generator = random.Random(7)
            piece = bytes(b for _ in range(1 << 16) for b in (0, 0, generator.randrange(256), 0x3F if generator.random() < 0.5 else 0xBF))
            for at in range(0, size, len(piece)):
                from driver import check, cuda
                part = piece[:min(len(piece), size - at)]
                check(cuda.cuMemcpyHtoD_v2(ctypes.c_uint64(pointer.value + at), part, ctypes.c_size_t(len(part))), "cuMemcpyHtoD")
            self.buffers[name, size] = pointer
        return self.buffers[name, size]

    def prepare(self, index, name, log=None):
        from driver import check, cuda
        case = self.cases[index]
        path = f"{self.folder}/{index:03}_{name}.cubin"
        if not os.path.exists(path):
            return None
        module = self.device.module(open(path, "rb").read())
        function = self.device.function(module, case["entry"] if name == "plain" else "logged", case["shared"])
        values = [self.buffer(a[1], a[2]) if a[0] in ("matrix", "buffer") else
                  ctypes.c_float(a[2]) if a[0] == "float" else ctypes.c_int(a[2]) for a in case["arguments"]]
        if log is not None:
            values.append(log)
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        grid, block = [ctypes.c_uint(x) for x in case["grid"]], [ctypes.c_uint(x) for x in case["block"]]
        null, shared = ctypes.c_void_p(), ctypes.c_uint(case["shared"])
        def start(keep=values):
            code = cuda.cuLaunchKernel(function, *grid, *block, shared, null, pointers, null)
            if code:
                check(code, "cuLaunchKernel")
        return start

    def in_a_row(self, start, row_ms):
        """Milliseconds a launch, the median of five rows of launches."""
        start()
        self.device.wait()
        once = max(0.003, self.device.milliseconds(start))
        count = max(3, min(1000, int(row_ms / once)))
        def row():
            for _ in range(count):
                start()
        return statistics.median(self.device.milliseconds(row) / count for _ in range(5))


def run(folder, output):
    runner = Runner(folder)
    log = runner.device.allocate(MOST_LOGGED * 40)
    table, raw = open(f"{output}/blocks.csv", "w"), open(f"{output}/blocks_raw.csv", "w")
    table.write("kernel,toggles,size,entry,blocks,ms,logged_ms,clock_mhz,from_first_start_ns,"
                "blocks_of_sms,first_wave_end_cycles,block_cycles\n")
    raw.write("case,block,sm,start_ns,end_ns,start_cycle,end_cycle\n")
    for index, case in enumerate(runner.cases):
        blocks = case["grid"][0] * case["grid"][1] * case["grid"][2]
        start = runner.prepare(index, "plain")
        ms = runner.in_a_row(start, 6) if start else 0
        logged = runner.prepare(index, "logged", log) if blocks <= MOST_LOGGED else None
        head = f"{case['kernel']},{case['toggles']},{case['size']},{case['entry']},{blocks},{ms:.6f}"
        if logged is None:
            table.write(head + ",,,,,,\n")
            continue
        logged_ms = runner.in_a_row(logged, 6)
        v = runner.device.read(log, 5 * blocks)
        rows = [v[5 * b:5 * b + 5] for b in range(blocks)]  # SM, ns, cycle, cycle, ns
        first = min(r[1] for r in rows)
        clock = 1000 * sum(r[3] - r[2] for r in rows) / max(1, sum(r[4] - r[1] for r in rows))
        by_sm = {}
        for b, r in enumerate(rows):
            by_sm.setdefault(r[0], []).append((r[2], r[3], b))
        counts = {}
        for of_sm in by_sm.values():
            counts[len(of_sm)] = counts.get(len(of_sm), 0) + 1
        lives = sorted(r[3] - r[2] for r in rows)
        ends = sorted(max(e for _, e, _ in of_sm) - min(s for s, _, _ in of_sm) for of_sm in by_sm.values())
        spread = lambda x: f"{x[0]} {x[len(x) // 4]} {x[len(x) // 2]} {x[3 * len(x) // 4]} {x[-1]}"
        table.write(head + f",{logged_ms:.6f},{clock:.1f},{max(r[4] for r in rows) - first},"
                    + " ".join(f"{c}x{n}" for c, n in sorted(counts.items())) + f",{spread(ends)},{spread(lives)}\n")
        table.flush()
        for b, r in enumerate(rows):
            base = min(s for s, _, _ in by_sm[r[0]])
            raw.write(f"{index},{b},{r[0]},{r[1] - first},{r[4] - first},{r[2] - base},{r[3] - base}\n")


def ends(folder, output):
    """Of each case, over the SMs that got most blocks first: the mean end of the first, second … in per cent of the last one's."""
    import csv
    cases = json.load(open(f"{folder}/cases.json"))
    by_case = {}
    for r in csv.DictReader(open(f"{output}/blocks_raw.csv")):
        block = int(r["block"]), int(r["start_cycle"]), int(r["end_cycle"])
        by_case.setdefault(int(r["case"]), {}).setdefault(int(r["sm"]), []).append(block)
    for index, by_sm in sorted(by_case.items()):
        first_ones = []
        for blocks in by_sm.values():
            first_end = min(end for _, _, end in blocks)
            first_ones.append(sorted(b for b in blocks if b[1] < first_end))
        most = max(map(len, first_ones))
        full = [of_sm for of_sm in first_ones if len(of_sm) == most]
        share = lambda k: statistics.mean(100 * of_sm[k][2] / max(end for _, _, end in of_sm) for of_sm in full)
        case = cases[index]
        print(f"{case['kernel']},{case['toggles']},{case['size']}: {len(full)} SMs with {most} blocks: " + " ".join(f"{share(k):.1f}" for k in range(most)))


def launch(folder):
    runner = Runner(folder)
    wanted = os.environ.get("CASES", "").split()  # KERNEL or KERNEL:TOGGLES
    for index, case in enumerate(runner.cases):
        if wanted and f"{case['kernel']}:{case['toggles']}".rstrip(":") not in wanted:
            continue
        start = runner.prepare(index, "plain")
        start()
        runner.device.wait()


if __name__ == "__main__":
    {"make": make, "run": run, "ends": ends, "launch": launch}[sys.argv[1]](*sys.argv[2:])
