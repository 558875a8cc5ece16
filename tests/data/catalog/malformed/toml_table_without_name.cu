//! title = "A"
//! [
// expect: :2:
// expect: no valid TOML
