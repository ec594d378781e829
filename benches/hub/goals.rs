//! Time of reading a goal with 200 tasks, among 1,000 goals: the tree, the costs, the billing and the timeline.

use std::time::{Duration, Instant};

use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::goals::{NewGoal, TaskNode};
use svc_core::ids::GoalId;
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;

const GOALS: usize = 1_000;
const BRANCHES: usize = 10;
const TWIGS: usize = 19;
const READS: usize = 500;
/// The limit of the median, in microseconds.
pub(crate) const ALLOWED: f64 = 5_000.0;

/// The median time of reading the goal, in microseconds.
pub(crate) async fn p50_micros() -> f64 {
    let data = TempDir::new().expect("a temporary directory");
    let hub = Hub::open(HubConfig::at(data.path())).await.expect("a new hub opens");
    let new = NewAgent {
        name: "lead".parse().expect("a valid name"),
        owner: Some("admin".parse().expect("a valid name")),
        settings: AgentSettings::default(),
    };
    let key = hub.agents().create(&Caller::root(), new).await.expect("the agent is created").key;
    let lead = hub.auth().bearer(&key).await.expect("the key is valid");
    let goal = fill(&hub, &lead).await;
    let mut times = Vec::with_capacity(READS);
    for _ in 0..READS {
        let begun = Instant::now();
        let found = hub.goals().get(&lead, goal).await.expect("the goal is read");
        times.push(begun.elapsed());
        assert_eq!(found.rollup.len(), BRANCHES * (TWIGS + 1), "all tasks are summed up");
    }
    hub.close().await;
    times.sort_unstable();
    times.get(READS / 2).map_or(0.0, Duration::as_secs_f64) * 1e6
}

/// Creates the goals; the last one has the tasks.
async fn fill(hub: &Hub, lead: &Caller) -> GoalId {
    let mut last = GoalId(0);
    for number in 0..GOALS {
        let new = NewGoal::titled(format!("Goal {number}"));
        last = hub.goals().create(lead, new).await.expect("the goal is created").id;
    }
    let branch = |number: usize| TaskNode {
        children: Some((0..TWIGS).map(|twig| TaskNode::titled(format!("Twig {number}.{twig}"))).collect()),
        ..TaskNode::titled(format!("Branch {number}"))
    };
    let tree = (0..BRANCHES).map(branch).collect();
    hub.goals().propose_tree(lead, last, tree).await.expect("the tree is stored");
    last
}
