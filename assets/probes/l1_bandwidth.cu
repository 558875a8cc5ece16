//! title   = "L1 and shared-memory bandwidth"
//! entry   = "probe"
//! block   = ["256", "1", "1"]
//! grid    = ["4096", "1", "1"]
//! shared  = "0"
//! changed = "Every block reads its 16 KiB of shared memory 256 times, without a bank conflict."
//! why     = "Nothing else takes as long, so that the time is that of shared memory, which is L1's memory."
//! look_at = "The wavefronts of the loads."
//! parameters = [
//!   { name = "data", buffer = "4096", type = "int32", below = "1000" },
//!   { name = "out", buffer = "32768", type = "int32", fill = "zero" },
//! ]
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = [4096]
//! compare = ["out"]

constexpr int kPieces = 4096 / 4, kThreads = 256, kRounds = 256;

extern "C" __global__ void __launch_bounds__(kThreads)
    probe(const int* __restrict__ data, int* __restrict__ out) {
  __shared__ int4 tile[kPieces];
  for (int at = threadIdx.x; at < kPieces; at += kThreads)
    tile[at] = reinterpret_cast<const int4*>(data)[at];
  __syncthreads();
  const unsigned begin = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x));
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kPieces / kThreads; ++i) {
      int4 loaded;
      // Written as PTX, since the compiler would keep in registers what does not change.
      asm volatile("ld.volatile.shared.v4.s32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(loaded.x), "=r"(loaded.y), "=r"(loaded.z), "=r"(loaded.w)
                   : "r"(begin + i * kThreads * 16));
      sum += loaded.x ^ loaded.y ^ loaded.z ^ loaded.w;
    }
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lanes);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * kThreads + threadIdx.x) / 32] = sum;
}

// What must come out: the sums of one round, as often as there are rounds.
extern "C" __global__ void reference(const int* data, int* out) {
  int sum = 0;
  for (int at = threadIdx.x; at < kPieces; at += kThreads) {
    const int* const piece = data + 4 * at;
    sum += piece[0] ^ piece[1] ^ piece[2] ^ piece[3];
  }
  atomicAdd(out + (blockIdx.x * kThreads + threadIdx.x) / 32, kRounds * sum);
}
