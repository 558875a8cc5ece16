#!/usr/bin/env python3
"""Writes the device files that come from data sheets, publications and the H200's own numbers.

    tests/calibration/devices/make_devices.py          # writes assets/devices/*.toml, except h200.toml
    tests/calibration/devices/make_devices.py --check  # fails if one of them is not what it would write

What is scaled from the H200 follows h200.toml: run this again when that file has changed. Nothing here is
fitted to a time of these devices.
"""
import pathlib
import sys
import tomllib

DEVICES = pathlib.Path(__file__).resolve().parents[3] / "assets" / "devices"
H200 = {name: number["value"] for name, number in
        tomllib.loads((DEVICES / "h200.toml").read_text())["parameters"].items()}

INTRO = ["Made by tests/calibration/devices/make_devices.py. No time of this device was measured for this project.",
         "Figures are from data sheets and from the named publications; where a figure of the H200 is scaled, the",
         "source says by what. What is not listed is the H200's."]
GUIDE = "CUDA Programming Guide, arithmetic throughput"
POINTER = "gpu-benches pointer chase (RRZE-HPC)"
JIA_T4, JIA_P4 = "Jia et al., arXiv 1903.07486", "Jia et al., arXiv 1804.06826"

H200_L2_MIB = 60  # cudaDevAttrL2CacheSize
# What gpu-benches measures of the H200's L2, in GB/s; h200.toml has its own microbenchmark's figure.
H200_L2_BENCH = 10000
# Latencies of a GH200 by the same pointer chase: L1, L2, and DRAM over L2.
GH200_L2, GH200_DRAM_OVER_L2 = 280.5, 376


def chip(sms, clock_mhz, clock_source, dram_gb_s, source, l2_mib, partitions=1):
    share = H200["l2_mib"] / H200_L2_MIB
    # The L2 of an A100, H100 or H200 has two partitions, each with its own copy of what its SMs read.
    copies = "" if partitions == 2 else "; its two partitions hold copies, here is one"
    kept, lost = (2 / partitions * H200[name] for name in ("l2_kept_share", "l2_lost_share"))
    return {
        "sms": (sms, source),
        "clock_mhz": (clock_mhz, clock_source),
        "dram_gb_s": (round(0.9 * dram_gb_s, 1),
                      f"0.9 of {dram_gb_s:g} GB/s ({source}); a device copy on the H200 reaches 0.9"),
        "l2_mib": (round(l2_mib * share, 3), f"L2 of {l2_mib:g} MiB ({source}); {share:.3f} of it, as on the H200"),
        "l2_kept_share": (round(kept, 3), f"as on the H200{copies}"),
        "l2_lost_share": (round(lost, 3), f"as on the H200{copies}"),
    }


def l2_bandwidth(bytes_per_cycle, source):
    factor = bytes_per_cycle / H200["l2_chip_bytes"]
    scaled = "scaled from the H200 by l2_chip_bytes"
    return {
        "l2_chip_bytes": (round(bytes_per_cycle), source),
        "l2_least_bytes": (32, "measured on the H200 only; here a sector"),
        "store_chip_bytes": (round(H200["store_chip_bytes"] * factor), scaled),
        "store_chip_line_bytes": (round(H200["store_chip_line_bytes"] * factor), scaled),
    }


def measured_l2(gb_s, clock_mhz):
    """Bytes a cycle as h200.toml counts them, of a bandwidth that gpu-benches measured."""
    method = H200["l2_chip_bytes"] / (H200_L2_BENCH / H200["clock_mhz"] * 1e3)
    return gb_s / clock_mhz * 1e3 * method


def latencies(l2_cycles, l2_source, dram_over_l2, dram_source, scale=1.0):
    """`l2_cycles`: by a pointer chase that gives GH200_L2 on a GH200."""
    more = round(l2_cycles - GH200_L2)
    return {
        "l2_near_latency": (H200["l2_near_latency"] + more, f"{l2_source}, {GH200_L2} on a GH200: {more:+d} on the H200's"),
        "l2_far_latency": (H200["l2_far_latency"] + more, "as far from the nearest slice as on the H200"),
        "dram_latency": (round(H200["dram_latency"] * dram_over_l2 * scale / GH200_DRAM_OVER_L2), dram_source),
        "dram_spread": (round(H200["dram_spread"] * dram_over_l2 * scale / GH200_DRAM_OVER_L2), "as much longer as dram_latency"),
    }


def pipes(fp32_lanes, fp64_lanes, special, load_store, load_store_source):
    """Lanes of an SM; its four sub-cores have a quarter each."""
    assert fp32_lanes in (64, 128)
    result = {
        "fma_halves": (fp32_lanes // 64, "128 FP32 lanes an SM, of which 64 also multiply integers (GA102 white paper)"
                       if fp32_lanes == 128 else f"64 FP32 lanes an SM: one unit of 16 lanes a sub-core ({GUIDE})"),
        "ffma_interval": (128 // fp32_lanes, f"{fp32_lanes} FP32 lanes an SM ({GUIDE})"),
        "imad_interval": (2, f"64 lanes an SM multiply integers ({GUIDE})"),
        "alu_interval": (2, f"64 lanes an SM ({GUIDE})"),
        "fp64_interval": (128 // fp64_lanes, f"{fp64_lanes} FP64 lanes an SM ({GUIDE})"),
        "xu_interval": (128 // special, f"{special} special function units an SM ({GUIDE})"),
        "lsu_interval": (32 // load_store, f"{load_store} LD/ST units an SM ({load_store_source})"),
        "global_interval": (32 // load_store, f"{load_store} LD/ST units an SM ({load_store_source})"),
    }
    return result


def tensor(cycles, source):
    return {"mma_16816_interval": (cycles, source), "mma_1688_interval": (cycles // 2, "half of HMMA.16816's factors"),
            "mma_ports": (0, "the pipe takes longer than the 6 cycles in which the H200's ports read the operands")}


def l1(kib, capability, hit_cycles, hit_source, shared_more, shared_source):
    """`hit_cycles`: by a pointer chase that gives 32.0 on a GH200; `shared_more`: cycles over the H200's."""
    return {
        "l1_kib": (kib, f"CUDA Programming Guide, compute capability {capability}"),
        "l1_hit_latency": (H200["l1_hit_latency"] + round(hit_cycles - 32.0), f"{hit_source}; 32.0 on a GH200"),
        "shared_latency": (max(1, H200["shared_latency"] + shared_more), shared_source),
    }


def ga10x(sms, clock_mhz, board, dram_gb_s, l2_mib, channels, professional, note=""):
    per_channel = measured_l2(5200, 2490) / 12
    return {
        **chip(sms, clock_mhz, f"boost, {board}{note}", dram_gb_s, board, l2_mib),
        **pipes(128, 2, 16, 16, "GA102 white paper; Huerta et al., MICRO 2025, measure 2 cycles on an RTX A6000"),
        **(tensor(16, "128 multiply-adds of 16-bit factors (64 of TF32) a cycle and tensor core with float32 sums "
                      "(GA102 white paper, RTX A6000)") if professional else
           tensor(32, "64 multiply-adds of 16-bit factors (32 of TF32) a cycle and tensor core with float32 sums "
                      "(GA102 white paper, GeForce boards)")),
        **l1(128, "8.6", 33.0, f"{POINTER}: 33.0 cycles on an A40", 0,
             "Huerta et al., MICRO 2025: 23 cycles from LDS to its consumer on an RTX A6000; 23.3 on the H200"),
        **latencies(250.4, f"{POINTER}: 250.4 cycles on an A40", 302,
                    f"{POINTER}: 302 cycles over L2 on an A40, {GH200_DRAM_OVER_L2} on a GH200; scaled from the H200"),
        **l2_bandwidth(per_channel * channels,
                       "no figure is known: by 32-bit memory channel as on the L40 (gpu-benches, 5200 GB/s at 2490 MHz, "
                       f"12 channels), {channels} channels"),
    }


def ada(sms, clock_mhz, board, dram_gb_s, l2_mib, channels, professional, l1_hit, l1_source, l2_cycles, l2_source, note=""):
    return {
        **chip(sms, clock_mhz, f"boost, {board}{note}", dram_gb_s, board, l2_mib),
        **pipes(128, 2, 16, 16, "Ada architecture white paper"),
        **(tensor(16, "128 multiply-adds of 16-bit factors (64 of TF32) a cycle and tensor core with float32 sums "
                      "(Ada architecture white paper, professional boards)") if professional else
           tensor(32, "64 multiply-adds of 16-bit factors (32 of TF32) a cycle and tensor core with float32 sums "
                      "(Ada architecture white paper: 165.2 and 82.6 TFLOP/s)")),
        **l1(128, "8.9", l1_hit, l1_source, 1, "Luo et al., arXiv 2402.13499: 30.1 cycles on an RTX 4090, 29.0 on an H100"),
        **latencies(l2_cycles, l2_source, 351,
                    f"{POINTER}: 351 cycles over L2 on an L40, {GH200_DRAM_OVER_L2} on a GH200; scaled from the H200"),
        **l2_bandwidth(measured_l2(5200, 2490) / 12 * channels,
                       "gpu-benches: 5200 GB/s of an L40 at 2490 MHz with 12 memory channels of 32 bits, scaled like the "
                       f"H200's; {channels} channels"),
    }


def a100():
    return {
        **chip(108, 1410, "boost, NVIDIA A100 white paper", 2039, "NVIDIA A100 80GB data sheet", 40, 2),
        **pipes(64, 32, 16, 32, "A100 white paper"),
        **tensor(8, "256 multiply-adds of 16-bit factors (128 of TF32) a cycle and tensor core (A100 white paper)"),
        **l1(192, "8.0", 33.0, f"{POINTER}: 33.0 cycles", 0, "Luo et al., arXiv 2402.13499: 29.0 cycles on an A100 and on an H100"),
        **latencies(205.6, f"{POINTER}: 205.6 cycles", 344,
                    f"{POINTER}: 344 cycles over L2, {GH200_DRAM_OVER_L2} on a GH200; scaled from the H200"),
        **l2_bandwidth(measured_l2(5400, 1410), "gpu-benches: 5400 GB/s at 1410 MHz, scaled like the H200's"),
    }


def t4():
    return {
        **chip(40, 1590, f"boost, NVIDIA T4 data sheet; the board of 70 W runs slower under load ({JIA_T4})", 320,
               "NVIDIA T4 data sheet", 4),
        **pipes(64, 2, 16, 16, "Turing architecture white paper"),
        **tensor(16, "65 TFLOP/s of 16-bit factors: 128 multiply-adds a cycle and sub-core (NVIDIA T4 data sheet)"),
        "wavefront_cycles": (2, f"64 bytes a cycle: {JIA_T4}, measure 61.8"),
        "fill_cycles": (2 * H200["fill_cycles"], "the H200's, at half the bytes a cycle"),
        **l1(96, "7.5", 32.0, f"{JIA_T4}: 32 cycles", -7,
             "23 cycles on an RTX 2070 (gpu-arch-microbenchmark), 30 on an H100 (mt4g)"),
        **latencies(212 + 188 - 193, "Jia et al.: 188 cycles, 193 on a V100, for which gpu-benches has 212", 320,
                    "mt4g: 320 cycles over L2 on an RTX 2080 Ti, 615 on an H100; scaled from the H200", GH200_DRAM_OVER_L2 / 615),
        **l2_bandwidth(8 * 128, "no figure is known: 128 bytes a cycle and 32-bit memory channel, 8 channels"),
    }


def mx330():
    none = "there are no tensor cores, and a kernel that needs them has no modelled time; the FP32 lanes' rate"
    return {
        **chip(3, 1594, "boost, GeForce MX330 specification", 56.06, "GeForce MX330 specification", 0.5),
        "fma_halves": (1, f"128 FP32 lanes an SM: one unit of 32 lanes a sub-core ({GUIDE})"),
        "ffma_interval": (1, f"128 FP32 lanes an SM ({GUIDE})"),
        "imad_interval": (1, "sm_75 code moves and adds addresses with IMAD, which takes a cycle on 32 lanes; a full "
                             "product takes three XMAD on Pascal"),
        "alu_interval": (1, f"128 lanes an SM for 32-bit additions ({GUIDE})"),
        "fp64_interval": (32, f"4 FP64 lanes an SM ({GUIDE})"),
        "xu_interval": (4, f"32 special function units an SM ({GUIDE})"),
        "mma_16816_interval": (64, none),
        "mma_1688_interval": (32, none),
        "mma_ports": (0, none),
        "lsu_interval": (1, "32 LD/ST units an SM (GP104 white paper)"),
        "global_interval": (4, "global loads go through the texture units, 8 an SM (24 on the board), each an address a cycle: 4 cycles for 32 lanes, whatever lines they read"),
        **l1(48, "6.1, where it is apart from shared memory", 82, f"{JIA_P4}: 82 cycles on a P4", -7,
             f"{JIA_P4}: 23 cycles on a P4; 30 on an H100 (mt4g)"),
        **latencies(212 + 216 - 193, "Jia et al.: 216 cycles on a P4, 193 on a V100, for which gpu-benches has 212", 188,
                    "mt4g: 188 cycles over L2 on a P6000, 194 on a V100, for which gpu-benches has 218; scaled from the H200",
                    218 / 194),
        **l2_bandwidth(2 * 128, "no figure is known: 128 bytes a cycle and 32-bit memory channel, 2 channels"),
    }


def devices():
    board = "GeForce RTX 3080 specification"
    yield ("h100", "NVIDIA H100 SXM", "9.0", "h200", ["It is the H200's die with other memory."],
           chip(132, 1980, "maximum, mt4g sample", 3350, "NVIDIA H100 data sheet", 50, 2))
    yield "a100", "NVIDIA A100 SXM 80GB", "8.0", "h200", [], a100()
    yield ("a100_40gb", "NVIDIA A100 SXM 40GB", "8.0", "a100", ["It is the A100 with other memory."],
           {"dram_gb_s": (round(0.9 * 1555, 1),
                          "0.9 of 1555 GB/s (NVIDIA A100 data sheet); a device copy on the H200 reaches 0.9")})
    yield ("rtx3080", "NVIDIA GeForce RTX 3080 10GB", "8.6", "h200", [],
           ga10x(68, 1710, board, 760.3, 5, 10, False, "; boards may run faster"))
    yield ("rtxa4000", "NVIDIA RTX A4000", "8.6", "h200", [], ga10x(48, 1560, "RTX A4000 data sheet", 448, 4, 8, True))
    yield ("rtxa6000", "NVIDIA RTX A6000", "8.6", "h200", [],
           ga10x(84, 1800, "RTX A6000 data sheet", 768, 6, 12, True, " (38.7 TFLOP/s)"))
    yield ("rtx4090", "NVIDIA GeForce RTX 4090", "8.9", "h200", [],
           ada(128, 2520, "GeForce RTX 4090 specification", 1008, 72, 12, False, 36.0,
               "Luo et al., raw results: 36.0 cycles, 32.0 on an H800", GH200_L2 + 296 - 281,
               "AI_kernels latency (markdewing): 296 cycles, 281 on a GH200, for which gpu-benches has"))
    yield ("rtx4000ada", "NVIDIA RTX 4000 Ada Generation", "8.9", "h200", [],
           ada(48, 2175, "RTX 4000 Ada Generation data sheet", 360, 48, 5, True, 34.0,
               f"{POINTER}: 34.0 cycles on an L40", 273.6, f"{POINTER}: 273.6 cycles on an L40",
               "; 130 W may hold it lower"))
    yield "t4", "NVIDIA T4", "7.5", "h200", [], t4()
    yield ("mx330", "NVIDIA GeForce MX330", "6.1", "h200",
           ["There is no machine code for Pascal here: the model replays that of sm_75 with Pascal's numbers. Left out:",
            "the second dispatch unit of a Pascal scheduler, and its longer dependent latency of 6 cycles."], mx330())


def text_of(name, capability, like, notes, numbers):
    lines = [f"# {line}" for line in INTRO + notes]
    lines += [f'name = "{name}"', f'compute_capability = "{capability}"', f'like = "{like}"', "", "[parameters]"]
    lines += [f'{key} = {{ value = {value:.6g}, source = "{source}" }}' for key, (value, source) in numbers.items()]
    return "\n".join(lines) + "\n"


def main():
    stale = []
    for identifier, *device in devices():
        path, text = DEVICES / f"{identifier}.toml", text_of(*device)
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"not what make_devices.py writes from h200.toml: {', '.join(stale)}; run it again")


main()
