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


def result_of(request):
    """The members of a good reply: a run returns its buffers with every byte inverted."""
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


def idle_death():
    """Dies after its first answer, while nobody asks; then as die_once."""
    if os.path.exists(sys.argv[2]):
        serve()
    open(sys.argv[2], "w").close()
    write(good_reply(read()))
    sys.exit(4)


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
    "never_quit": lambda: (write(good_reply(read())), hang()),
    "transcript": transcript,
}
MODES[sys.argv[1]]()
