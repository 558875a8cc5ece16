//! title   = "Atomics"
//! changed = """An array's elements that equal one value are counted in
//!              one word of memory: by an atomic for each match, for
//!              each warp, or for each block after a reduction in
//!              shared memory."""
//! why     = """Atomics at one address go one after the other. Lanes
//!              that first add up among themselves, by a vote or in
//!              shared memory, leave fewer of them."""
//! look_at = """How many lanes meet at one address, and how many
//!              operations reach memory. A new GPU's L2 takes them so
//!              fast that the reduction may gain little: look at the
//!              timing. And the compiler makes the warp's vote of a
//!              plain atomicAdd(matches, 1): compare the second method
//!              with the third."""
//! show_me = ["toggles.next", "toggles.next_value",
//!            "toggles.next_value", "toggles.next_value"]
//! picture = "atomics"
//! parameters = [
//!   {name = "in", buffer = "M*N", type = "int32", below = "DISTINCT"},
//!   { name = "matches", buffer = "1", type = "int32", fill = "zero" },
//!   { name = "count", scalar = "M * N" },
//! ]
//! [check]
//! entry = "reference"
//! block = [1]
//! grid = [1]
//! compare = ["matches"]
//! [[launches]]
//! title = "an atomic for each match"
//! entry = "count_each_match"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! when = "(1 - METHOD / 2) * (1 - METHOD % 2)"
//! [[launches]]
//! title = "atomicAdd as one writes it"
//! entry = "count_as_written"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! when = "(1 - METHOD / 2) * (METHOD % 2)"
//! [[launches]]
//! title = "an atomic for each warp"
//! entry = "count_by_warp"
//! block = [256]
//! grid = ["ceil_div(M * N, 256)"]
//! when = "METHOD / 2 * (1 - METHOD % 2)"
//! [[launches]]
//! title = "an atomic for each block"
//! entry = "count_by_block"
//! block = [256]
//! grid = ["ceil_div(M * N, 256 * 8)"]
//! when = "METHOD / 2 * (METHOD % 2)"
//! [[toggles]]
//! name = "METHOD"
//! title = "An atomic for"
//! values = [0, 1, 2, 3]
//! labels = ["each match", "atomicAdd", "each warp", "each block"]
//! default = 0
//! [[toggles]]
//! name = "DISTINCT"
//! title = "One element in … matches"
//! values = [1, 2, 8, 64]
//! default = 2

constexpr int kWanted = 0;

// Every lane that has a match goes to memory. atomicInc (add 1, back to
// 0 after the limit), because the compiler would add up the warp's
// lanes by itself before an atomicAdd.
extern "C" __global__ void count_each_match(const int* in, int* matches,
                                            int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && in[i] == kWanted)
    atomicInc((unsigned*)matches, 0x7fffffff);
}

// The same, as one writes it. Look at the machine code: VOTEU, POPC,
// and one lane's RED.
extern "C" __global__ void count_as_written(const int* in, int* matches,
                                            int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && in[i] == kWanted) atomicAdd(matches, 1);
}

// The lanes vote, and the first one adds for all.
extern "C" __global__ void count_by_warp(const int* in, int* matches,
                                         int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes =
      __ballot_sync(0xffffffffu, i < count && in[i] == kWanted);
  if (threadIdx.x % 32 == 0 && votes != 0)
    atomicAdd(matches, __popc(votes));
}

// Each thread counts several elements, the block adds up in shared
// memory, one thread adds for all.
extern "C" __global__ void count_by_block(const int* in, int* matches,
                                          int count) {
  __shared__ int sums[256];
  int sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < count;
       i += gridDim.x * 256)
    sum += in[i] == kWanted;
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(matches, sums[0]);
}

// What must come out: one thread, no atomics.
extern "C" __global__ void reference(const int* in, int* matches,
                                     int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += in[i] == kWanted;
  *matches = sum;
}
