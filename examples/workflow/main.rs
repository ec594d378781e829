//! Two humans and three agents take a proposal through a workflow channel, over HTTP, and everybody
//! who may see it sees it live.
//!
//! `cargo run --release -p svc --example workflow` starts a server of its own on a free port with a fresh
//! store, tells what happens and leaves nothing behind. The steps are in `story.rs`; the tests tell
//! the same story on both engines.

mod story;

use svc_core::HubConfig;

#[tokio::main]
async fn main() {
    let data = tempfile::TempDir::new().expect("a temporary directory can be made");
    story::tell(HubConfig::at(data.path()), |line| println!("{line}")).await;
}
