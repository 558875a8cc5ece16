//! title = "A"
//! [
// expect: :2:
// expect: not valid TOML
