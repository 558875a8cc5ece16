// A stand-in for NVIDIA's libnvidia-ml.so.1 that knows the device of fake_cuda.cpp.
#include <cstdio>
#include <cstring>

namespace {
constexpr int kSuccess = 0, kNotFound = 6, kClockSm = 1;
int device = 0;
}  // namespace

extern "C" {

int nvmlInit_v2() { return kSuccess; }
int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  return snprintf(version, length, "999.1"), kSuccess;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** handle) {
  return *handle = &device, strcmp(id, "0000:3b:00.0") == 0 ? kSuccess : kNotFound;
}
int nvmlDeviceGetClockInfo(void* handle, int type, unsigned* mhz) {
  return *mhz = handle == &device && type == kClockSm ? 1755 : 1, kSuccess;
}

}  // extern "C"
