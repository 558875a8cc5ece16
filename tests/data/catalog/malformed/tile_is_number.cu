//! title   = "Every key"
//! tile = 3
//! entry   = "every_key"
//! block   = [32, 4, 1]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 128)", 1]
//! shared  = "4 * 128 * (8)"
//! changed = """A sentence that
//!              goes on."""
//! why     = "Because."
//! look_at = "Here."

// expect: :2:
// expect: "tile"
// expect: [tile]
