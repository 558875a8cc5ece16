#!/usr/bin/env python3
"""A GPU runner that misbehaves in the way that its first argument names, for the tests of the client."""
import base64
import json
import os
import signal
import subprocess
import sys
import time

VERSION = 1
DEVICE = {"name": "Fake GPU", "compute_capability": 90, "sm_count": 4, "max_clock_mhz": 1000.5, "memory_bytes": 1 << 33,
          "driver_version": "1.2.3", "cuda_version": "13.0"}


def read():
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        sys.exit(0)
    return json.loads(line)


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def encode(members, request_id, version=VERSION):
    return json.dumps({"gemmscope_gpu": version, "id": request_id, **members}).encode() + b"\n"


PREPARED = {"handle": 7, "first_ms": 0.5, "library": "",
            "verification": {"checked": True, "largest_error": 1e-6, "largest_ratio": 0.25, "wrong_elements": 0,
                             "against": "float64 of the fake"}}
handles_given = 6


def prepared(request):
    global handles_given
    handles_given += 1
    return {**PREPARED, "handle": handles_given, "library": "cuBLAS 0.0.0" if request["request"] == "prepare_library" else ""}


def result_of(request):
    """The members of a good reply: a run returns its buffers with every byte inverted."""
    if request["request"].startswith("prepare"):
        return {"prepared": prepared(request)}
    if request["request"] == "time":
        return {"time": {"ms": 0.125 * request["handle"], "sm_clock_mhz": 1000.5}}
    if request["request"] == "release":
        return {"released": True}
    if request["request"] == "hello":
        return {"device": DEVICE}
    if request["request"] == "quit":
        return {"goodbye": True}
    buffers = [base64.b64decode(p["buffer"]) for p in request["parameters"] if p.get("returned")]
    return {"buffers": [base64.b64encode(bytes(b ^ 255 for b in buffer)).decode() for buffer in buffers],
            "outside_writes": []}


def good_reply(request):
    return encode(result_of(request), request["id"])


def serve():
    while True:
        request = read()
        write(good_reply(request))
        if request["request"] == "quit":
            sys.exit(0)


def hello_then(misbehave):
    write(good_reply(read()))
    request = read()
    if request["request"] == "quit":
        write(good_reply(request))
        sys.exit(0)
    misbehave(request)


def prepare_then(misbehave):
    """Good until the first request to time something."""
    while True:
        request = read()
        if request["request"] == "time":
            return misbehave(request)
        write(good_reply(request))
        if request["request"] == "quit":
            sys.exit(0)


def hello_then_prepared(**members):
    hello_then(lambda r: (write(encode({"prepared": {**prepared(r), **members}}, r["id"])), hang()))


def then_time(text):
    """A time of these very bytes, which need not be JSON."""
    prepare_then(lambda r: (write(b'{"gemmscope_gpu":1,"id":%d,"time":{"ms":%s,"sm_clock_mhz":1}}\n'
                                  % (r["id"], text)), hang()))


def hang(*_):
    while True:
        time.sleep(1)


def die_in_line(request):
    write(good_reply(request)[:20])
    os.kill(os.getpid(), signal.SIGSEGV)


def flood(*_):
    while True:
        write(b"x" * 65536)


def flood_lines(*_):
    while True:
        write(b"x\n" * 30000)


def flood_stderr(*_):
    while True:
        sys.stderr.write("warning " * 1000 + "\n")


def trickle(request):
    for byte in good_reply(request)[:-1]:
        write(bytes([byte]))
        time.sleep(0.05)
    hang()


def twice(request):
    write(good_reply(request) * 2)
    serve()


def error_and_hang(request):
    write(encode({"error": {"kind": "kernel_fault", "message": "the kernel failed"}}, request["id"]))
    hang()


def error_and_go_on(request):
    write(encode({"error": {"kind": "no_such_kernel", "message": "there is none"}}, request["id"]))
    serve()


def close_stdout(*_):
    os.close(1)
    hang()


def not_found():
    sys.stderr.write("bash: line 1: gemmscope-gpu-runner: command not found\n")
    sys.exit(127)


def leave_child():
    """Ends at once and leaves a process behind that holds stdout open; its id goes to a file."""
    child = subprocess.Popen(["sleep", "60"])
    with open(sys.argv[2], "w") as file:
        file.write(str(child.pid))
    sys.exit(5)


def die_once():
    """Dies in its first run; the file says that it has."""
    if os.path.exists(sys.argv[2]):
        serve()
    open(sys.argv[2], "w").close()
    hello_then(die_in_line)


def die_in_run_once():
    """Dies in the first run, and not before; the file says that it has."""
    if os.path.exists(sys.argv[2]):
        serve()
    while True:
        request = read()
        if request["request"] == "run":
            open(sys.argv[2], "w").close()
            die_in_line(request)
        write(good_reply(request))


def idle_death():
    """Dies after its first answer, while nobody asks; then as die_once."""
    if os.path.exists(sys.argv[2]):
        serve()
    open(sys.argv[2], "w").close()
    write(good_reply(read()))
    sys.exit(4)


def error(request, kind, message):
    write(encode({"error": {"kind": kind, "message": message}}, request["id"]))


def device():
    """A GPU with these facts instead of the usual ones; they are JSON."""
    DEVICE.update(json.loads(sys.argv[2]))
    serve()


def refuse():
    """Answers every request of this name with an error of this kind and message, and all others well."""
    _, _, name, kind, message = sys.argv
    while True:
        request = read()
        if request["request"] == name:
            error(request, kind, message)
        else:
            write(good_reply(request))
        if request["request"] == "quit":
            sys.exit(0)


def lose_device():
    """Loses the GPU at its 40th sample; the file says that it has, and then there is none."""
    lost = os.path.exists(sys.argv[2])
    samples = 0
    while True:
        request = read()
        samples += request["request"] == "time"
        if lost and request["request"] == "hello":
            error(request, "no_device", "the NVIDIA driver finds no GPU")
        elif samples == 40:
            open(sys.argv[2], "w").close()
            error(request, "device_lost", "the GPU was lost")
            sys.exit(1)
        else:
            write(good_reply(request))
        if request["request"] == "quit":
            sys.exit(0)


def note_start():
    """Writes that it was started into the file, and serves."""
    with open(sys.argv[2], "a") as file:
        file.write("started\n")
    serve()


def transcript():
    """Answers the recorded requests, and only those, with the recorded replies."""
    for line in open(sys.argv[2]):
        if line.startswith(">"):
            request, expected = read(), json.loads(line[1:])
            if request != expected:
                sys.exit(f"request {request} instead of {expected}")
        elif line.startswith("<"):
            write(line[1:].encode())
    sys.exit(0)


MODES = {
    "good": serve,
    "hang": hang,
    "hang_in_run": lambda: hello_then(hang),
    "die_in_line": lambda: die_in_line(read()),
    "die_once": die_once,
    "die_in_run_once": die_in_run_once,
    "idle_death": idle_death,
    "not_found": not_found,
    "leave_child": leave_child,
    "close_stdout": close_stdout,
    "next_version": lambda: (write(encode({"device": {}}, read()["id"], VERSION + 1)), hang()),
    "text_version": lambda: (write(encode({}, read()["id"], "x" * 5000)), hang()),
    "banner": lambda: (write(b"Welcome to lab-gpu!\n"), serve()),
    "bytes": lambda: (write(bytes(range(128, 256)) + b"\0\n"), hang()),
    "deep": lambda: (write(b"[" * 60000 + b"\n"), hang()),
    "empty_line": lambda: (write(b"\n"), serve()),
    "flood": flood,
    "long_line": lambda: (write(encode({"device": DEVICE, "padding": "x" * 70000}, read()["id"])), hang()),
    "flood_lines": flood_lines,
    "flood_stderr": flood_stderr,
    "flood_in_run": lambda: hello_then(flood),
    "trickle": lambda: trickle(read()),
    "wrong_id": lambda: (write(encode({"device": DEVICE}, 77)), hang()),
    "other_question": lambda: (write(encode({"goodbye": True}, read()["id"])), hang()),
    "wrong_member": lambda: (write(encode({"device": {**DEVICE, "sm_count": "many"}}, read()["id"])), hang()),
    "twice": lambda: twice(read()),
    "no_buffer": lambda: hello_then(lambda r: (write(encode({"buffers": [], "outside_writes": []}, r["id"])), hang())),
    "short_buffer": lambda: hello_then(
        lambda r: (write(encode({"buffers": ["AAAA"], "outside_writes": []}, r["id"])), hang())),
    "wild_write": lambda: hello_then(
        lambda r: (write(encode({**result_of(r), "outside_writes": [{"parameter": 9, "offset": -1}]}, r["id"])), hang())),
    "error_and_hang": lambda: hello_then(error_and_hang),
    "error_and_go_on": lambda: hello_then(error_and_go_on),
    "no_handle": lambda: hello_then_prepared(handle=0),
    "text_handle": lambda: hello_then_prepared(handle="seven"),
    "negative_handle": lambda: hello_then_prepared(handle=-7),
    "negative_first": lambda: hello_then_prepared(first_ms=-1),
    "no_verification": lambda: hello_then_prepared(verification=None),
    "infinite_error": lambda: hello_then(lambda r: (write(
        encode({"prepared": prepared(r)}, r["id"]).replace(b"1e-06", b"Infinity")), hang())),
    "half_prepared": lambda: hello_then(lambda r: (write(encode({"prepared": {"handle": 3}}, r["id"])), hang())),
    "same_handle": lambda: hello_then(lambda r: (
        write(encode({"prepared": PREPARED}, r["id"])), write(encode({"prepared": PREPARED}, read()["id"])), hang())),
    "hang_in_time": lambda: prepare_then(hang),
    "die_in_time": lambda: prepare_then(die_in_line),
    "flood_in_time": lambda: prepare_then(flood),
    "other_answer_in_time": lambda: prepare_then(lambda r: (write(encode({"released": True}, r["id"])), hang())),
    "next_version_in_time": lambda: prepare_then(
        lambda r: (write(encode({"time": {"ms": 1, "sm_clock_mhz": 1}}, r["id"], VERSION + 1)), hang())),
    "negative_time": lambda: then_time(b"-0.25"),
    "zero_time": lambda: then_time(b"0"),
    "nan_time": lambda: then_time(b"NaN"),
    "null_time": lambda: then_time(b"null"),
    "infinite_time": lambda: then_time(b"1e999"),
    "text_time": lambda: then_time(b'"fast"'),
    "late_error": lambda: prepare_then(lambda r: (write(
        encode({"error": {"kind": "device_lost", "message": "the GPU is gone"}}, r["id"])), hang())),
    "unknown_error": lambda: prepare_then(lambda r: (write(
        encode({"error": {"kind": "moon_phase", "message": "of a later version"}}, r["id"])), hang())),
    "never_quit": lambda: (write(good_reply(read())), hang()),
    "device": device,
    "refuse": refuse,
    "lose_device": lose_device,
    "note_start": note_start,
    "transcript": transcript,
}
MODES[sys.argv[1]]()
