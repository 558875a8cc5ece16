// Instructions of a warpgroup, which NVRTC compiles for sm_90a alone.
extern "C" __global__ void warpgroup(const float* A, const float* B, float* C, int M, int N, int K) {
  asm volatile("wgmma.fence.sync.aligned;");
  C[threadIdx.x] = A[threadIdx.x] + B[threadIdx.x];
  asm volatile("wgmma.commit_group.sync.aligned;");
  asm volatile("wgmma.wait_group.sync.aligned 0;");
}
