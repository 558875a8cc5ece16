//! title   = "Every key"
//! entry   = "every_key"
//! block   = [32, "4 * WIDE", 1]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, TILE_M)", 1]
//! shared  = "4 * TILE_M * (8 + PAD)"
//! changed = """A sentence that

// expect: not valid TOML
// expect: :
