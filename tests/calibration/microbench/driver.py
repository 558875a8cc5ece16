"""The little of the CUDA driver that the microbenchmarks need."""
import array
import ctypes

cuda = ctypes.CDLL("libcuda.so.1")
BYTES = 64 << 20  # of the buffers out and scratch


def check(code, what):
    if code:
        raise RuntimeError(f"{what}: CUDA error {code}")


class Device:
    def __init__(self):
        check(cuda.cuInit(0), "cuInit")
        self.device = ctypes.c_int()
        check(cuda.cuDeviceGet(ctypes.byref(self.device), 0), "cuDeviceGet")
        self.context = ctypes.c_void_p()
        check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), self.device), "cuDevicePrimaryCtxRetain")
        check(cuda.cuCtxSetCurrent(self.context), "cuCtxSetCurrent")
        self.out = self.allocate(BYTES)
        self.scratch = self.allocate(BYTES)
        self.events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in self.events:
            check(cuda.cuEventCreate(ctypes.byref(event), 0), "cuEventCreate")

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        check(cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)), "cuMemAlloc")
        self.fill(pointer, 0, size)
        return pointer

    def free(self, pointer):
        check(cuda.cuMemFree_v2(pointer), "cuMemFree")

    def fill(self, pointer, value, size):
        check(cuda.cuMemsetD8_v2(pointer, ctypes.c_ubyte(value), ctypes.c_size_t(size)), "cuMemsetD8")
        self.wait()

    def write(self, pointer, data):
        check(cuda.cuMemcpyHtoD_v2(pointer, bytes(data), ctypes.c_size_t(len(data))), "cuMemcpyHtoD")

    def read(self, pointer, count, kind="q"):
        """`count` numbers: q signed 64 bits, I unsigned 32 bits."""
        values = array.array(kind, bytes(count * array.array(kind).itemsize))
        address, length = values.buffer_info()
        check(cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(address), pointer, ctypes.c_size_t(length * values.itemsize)), "cuMemcpyDtoH")
        return values

    def wait(self):
        check(cuda.cuCtxSynchronize(), "cuCtxSynchronize")

    def module(self, cubin):
        module = ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(module), bytes(cubin)), "cuModuleLoadData")
        return module

    def unload(self, module):
        check(cuda.cuModuleUnload(module), "cuModuleUnload")

    def function(self, module, name, shared=0):
        function = ctypes.c_void_p()
        check(cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()), name)
        if shared > 48 << 10:
            check(cuda.cuFuncSetAttribute(function, 8, shared), "cuFuncSetAttribute")
        return function

    def prepare(self, function, grid, block, arguments, shared=0):
        """Makes a function that starts the kernel. Integers are passed as 32 bits, ctypes values as they are."""
        values = [a if isinstance(a, ctypes._SimpleCData) else ctypes.c_int(a) for a in arguments]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        launch, null = cuda.cuLaunchKernel, ctypes.c_void_p()
        grid, block, shared = ctypes.c_uint(grid), ctypes.c_uint(block), ctypes.c_uint(shared)
        one = ctypes.c_uint(1)

        def start(keep=values):
            code = launch(function, grid, one, one, block, one, one, shared, null, pointers, null)
            if code:
                check(code, "cuLaunchKernel")
        return start

    def start(self, function, grid, block, arguments, shared=0):
        self.prepare(function, grid, block, arguments, shared)()

    def launch(self, function, grid, block, arguments, shared=0):
        self.start(function, grid, block, arguments, shared)
        self.wait()

    def milliseconds(self, work):
        check(cuda.cuEventRecord(self.events[0], None), "cuEventRecord")
        work()
        check(cuda.cuEventRecord(self.events[1], None), "cuEventRecord")
        self.wait()
        ms = ctypes.c_float()
        check(cuda.cuEventElapsedTime(ctypes.byref(ms), *self.events), "cuEventElapsedTime")
        return ms.value
