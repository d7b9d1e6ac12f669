//! rely
fn main() {}
