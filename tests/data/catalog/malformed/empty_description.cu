//!
// expect: :1:
// expect: "title" is missing
