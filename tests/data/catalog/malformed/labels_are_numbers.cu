//! title   = "Labels, groups and rules"
//! entry   = "labelled"
//! block   = [32, 1, 1]
//! grid    = [1, 1, 1]
//! shared  = 0
//! changed = "Nothing."
//! why     = "Because."
//! look_at = "Here."
//! [tile]
//! block_m = 0
//! block_n = 0
//! block_k = 0
//! warp_m = 0
//! warp_n = 0
//! thread_m = 0
//! thread_n = 0
//! [[toggles]]
//! name = "ORDER"
//! title = "Order of the blocks"
//! values = [0, 4]
//! labels = [1, 2]
//! default = 0
//! group = "Blocks"
//! help = """Two lines
//!           of help."""
//! [[toggles]]
//! name = "PAD"
//! title = "Padding"
//! values = [1, 2]
//! default = 1
//! [[illegal]]
//! when = """ORDER == 4 &&
//!           (PAD > 1 || SM < 80)"""
//! why = "Because."

extern "C" __global__ void labelled(const float*, const float*, float*, float, float, int, int, int) {}

// expect: :21:
// expect: "toggles.labels"
