//! The server's executable.

fn main() {}
