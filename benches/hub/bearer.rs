//! Cost of authenticating a key, in a small hub and in a large one.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use futures_util::future::join_all;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;

const FEW: usize = 10;
const MANY: usize = 10_000;
const CHECKS: u32 = 20_000;
const ROUNDS: usize = 7;

/// A hub with agents, and their keys.
struct Crowd {
    hub: Hub,
    keys: Vec<String>,
    _data: TempDir,
}

/// Microseconds per check, with few agents and with many; medians of interleaved rounds.
pub(crate) async fn times() -> (f64, f64) {
    let (few, many) = (Crowd::of(FEW).await, Crowd::of(MANY).await);
    let (mut with_few, mut with_many) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        with_few.push(few.check().await);
        with_many.push(many.check().await);
    }
    few.hub.close().await;
    many.hub.close().await;
    (crate::median(with_few), crate::median(with_many))
}

impl Crowd {
    async fn of(agents: usize) -> Self {
        let data = TempDir::new().expect("a temporary directory");
        let hub = Hub::open(HubConfig::at(data.path())).await.expect("a new hub opens");
        let left = Arc::new(AtomicUsize::new(agents));
        let makers = (0..64).map(|_| {
            let (hub, left) = (hub.clone(), left.clone());
            tokio::spawn(async move {
                let mut keys = Vec::new();
                while let Some(number) = crate::take_one(&left) {
                    let new = NewAgent {
                        name: format!("agent-{number}").parse().expect("a valid name"),
                        owner: Some("admin".parse().expect("a valid name")),
                        settings: AgentSettings::default(),
                    };
                    keys.push(hub.agents().create(&Caller::root(), new).await.expect("the agent is created").key);
                }
                keys
            })
        });
        let keys = join_all(makers).await.into_iter().flat_map(|made| made.expect("the task ends")).collect();
        Self { hub, keys, _data: data }
    }

    async fn check(&self) -> f64 {
        let started = Instant::now();
        for number in 0..CHECKS {
            // A stride that is coprime to both counts visits every key in a different order.
            let key = &self.keys[number as usize * 7919 % self.keys.len()];
            self.hub.auth().bearer(key).await.expect("the key is valid");
        }
        started.elapsed().as_secs_f64() * 1e6 / f64::from(CHECKS)
    }
}
