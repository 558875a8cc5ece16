//! title   = "L2 bandwidth"
//! entry   = "probe"
//! block   = ["256", "1", "1"]
//! grid    = ["4096", "1", "1"]
//! shared  = "0"
//! changed = "Every block reads one mebibyte, which all of them share, past L1."
//! why     = "It stays in L2, so that the time is that of L2."
//! look_at = "The sectors of the loads."
//! parameters = [
//!   { name = "data", buffer = "262144", type = "int32", below = "1000" },
//!   { name = "out", buffer = "32768", type = "int32", fill = "zero" },
//! ]
//! [check]
//! entry = "reference"
//! block = [256]
//! grid = [4096]
//! compare = ["out"]

// 16 bytes a lane and 8 loads in flight: with eight warps on each scheduler that is more than an SM waits for.
constexpr int kPieces = 262144 / 4, kThreads = 256, kInFlight = 8;

extern "C" __global__ void __launch_bounds__(kThreads)
    probe(const int* __restrict__ data, int* __restrict__ out) {
  const int4* const pieces = reinterpret_cast<const int4*>(data);
  // Blocks that run at the same time begin at different places, so that they do not ask the same slice of L2.
  const int first = (blockIdx.x * 37 % 256) * kThreads;
  int sum = 0;
  for (int round = 0; round < kPieces / kThreads; round += kInFlight) {
    int4 loaded[kInFlight];
#pragma unroll
    for (int i = 0; i < kInFlight; ++i)
      loaded[i] = __ldcg(pieces + (first + (round + i) * kThreads + threadIdx.x) % kPieces);
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) sum += loaded[i].x ^ loaded[i].y ^ loaded[i].z ^ loaded[i].w;
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lanes);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * kThreads + threadIdx.x) / 32] = sum;
}

// What must come out: the sum of each warp, which reads the same pieces in any block.
extern "C" __global__ void reference(const int* data, int* out) {
  int sum = 0;
  for (int at = threadIdx.x; at < kPieces; at += kThreads) {
    const int* const piece = data + 4 * at;
    sum += piece[0] ^ piece[1] ^ piece[2] ^ piece[3];
  }
  atomicAdd(out + (blockIdx.x * kThreads + threadIdx.x) / 32, sum);
}
