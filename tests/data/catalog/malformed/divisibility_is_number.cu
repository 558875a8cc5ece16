//! title   = "Every key"
//! divisibility = 4
//! entry   = "every_key"
//! block   = [32, 4, 1]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", 1]
//! shared  = "4 * 128 * (8)"
//! changed = """A sentence that
//!              goes on."""
//! why     = "Because."
//! look_at = "Here."
//! [tile]
//! block_m = "128"
//! block_n = 128
//! block_k = 8
//! warp_m = 0
//! warp_n = 0
//! thread_m = "128 / 16"
//! thread_n = 8

// expect: :2:
// expect: "divisibility"
// expect: [divisibility]
