//! An agent in a hundred lines: it waits for messages, claims one, answers it and marks it done.
//!
//! Start a server, make an agent, and run it with the agent's key:
//!
//! ```sh
//! cargo run --release &
//! svc-admin agents create echo --owner admin
//! SVC_AGENT_KEY=svca_… cargo run -p svc --example echo_agent
//! ```
//!
//! `SVC_URL` is the hub's address, `http://127.0.0.1:8080` when it is not set. Kill it in the middle of
//! its work: when the lease ends, the message is there for the next one that claims.

mod agent;

use std::time::Duration;

use agent::Agent;

#[tokio::main]
async fn main() -> Result<(), agent::Failure> {
    // What speaks TLS, for hubs behind https.
    rustls::crypto::ring::default_provider().install_default().ok();
    let url = std::env::var("SVC_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".into());
    let key = std::env::var("SVC_AGENT_KEY").map_err(|_| "set SVC_AGENT_KEY to the key of an agent")?;
    let agent = Agent::new(&url, &key)?;
    println!("{} listens", agent.name().await?);
    agent.run(Duration::from_secs(1), |line| println!("{line}")).await?;
    Ok(())
}
