//! svc-features: one set of features of shared dependencies for every binary of svc.
//!
//! Cargo compiles a dependency once for each set of features that the packages of one build ask for. The binaries
//! depend on this crate, so all of them ask for one set: after `cargo run --release`, `cargo build --release -p
//! svc-admin` compiles svc-admin and no dependency. It has no code.
