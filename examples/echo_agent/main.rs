//! An agent in a hundred lines: it waits for messages, claims one, answers it and marks it done.
//!
//! Start a server, create an agent, and run the example with the agent's key:
//!
//! ```sh
//! cargo run --release &
//! svc-admin agents create echo --owner admin
//! SVC_AGENT_KEY=svca_… cargo run -p svc --example echo_agent
//! ```
//!
//! `SVC_URL` is the hub's address, `http://127.0.0.1:8080` by default. If you kill the agent during
//! its work, the message can be claimed again when the lease ends.

mod agent;

use std::time::Duration;

use agent::Agent;

#[tokio::main]
async fn main() -> Result<(), agent::Failure> {
    // Installs the TLS provider, for hubs behind https.
    rustls::crypto::ring::default_provider().install_default().ok();
    let url = std::env::var("SVC_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".into());
    let key = std::env::var("SVC_AGENT_KEY").map_err(|_| "set SVC_AGENT_KEY to the key of an agent")?;
    let agent = Agent::new(&url, &key)?;
    println!("{} listens", agent.name().await?);
    agent.run(Duration::from_secs(1), |line| println!("{line}")).await?;
    Ok(())
}
