//! Two humans and three agents take a proposal through a workflow channel over HTTP, and everybody
//! who may see it receives it live.
//!
//! `cargo run --release -p svc --example workflow` starts its own server on a free port with a new
//! store, prints each step and removes its data. The steps are in `story.rs`; the tests run them on
//! both engines.

mod story;

use svc_core::HubConfig;

#[tokio::main]
async fn main() {
    let data = tempfile::TempDir::new().expect("a temporary directory can be made");
    story::run(HubConfig::at(data.path()), |line| println!("{line}")).await;
}
