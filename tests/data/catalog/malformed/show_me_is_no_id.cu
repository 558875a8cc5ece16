//! title   = "Every key"
//! entry   = "every_key"
//! block   = [32, "4 * WIDE", 1]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, TILE_M)", 1]
//! shared  = "4 * TILE_M * (8 + PAD)"
//! changed = """A sentence that
//!              goes on."""
//! why     = "Because."
//! look_at = "Here."
//! show_me = ["time.next_conflict", "Next conflict"]
//! [tile]
//! block_m = "TILE_M"
//! block_n = 128
//! block_k = 8
//! warp_m = 0
//! warp_n = 0
//! thread_m = "TILE_M / 16"
//! thread_n = 8
//! [divisibility]
//! N = "4 * WIDE"
//! K = 8
//! [[toggles]]
//! name = "TILE_M"
//! title = "Rows of a tile"
//! values = [64, 128]
//! default = 128
//! [[toggles]]
//! name = "WIDE"
//! title = "Two rows of warps"
//! values = [1, 2]
//! default = 1
//! [[toggles]]
//! name = "PAD"
//! title = "Padding"
//! values = [0, -4, 4]
//! default = 0
// expect: :10: key "show_me"
// expect: has "Next conflict", which is no id of a command
