//! Who is told of a change of a goal: live streams, and webhooks.

use serde_json::{Value, json};
use svc_core::events::NewEvent;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::receiver::Receiver;
use crate::support::server::TestServer;

/// A task of a goal of somebody's is done.
async fn change(test: &TestServer, owner: &Person, by: &str, is_move: bool, agents: &[&Value]) {
    let owner = test.caller(owner).await.owner().unwrap();
    let change = json!({
        "goal_id": 7, "slug": "ship", "title": "Ship it", "status": "active", "owner_id": owner, "task_id": 9,
        "task": "Build", "task_status": "done", "is_move": is_move, "by": by, "agent_ids": agents,
    });
    test.hub.events().append(NewEvent::new("goal.changed", &change).unwrap()).await.unwrap();
}

async fn agent_id(test: &TestServer, owner: &Person, name: &str) -> Value {
    test.look(owner, &format!("/api/agents/{name}")).await["id"].clone()
}

#[both_engines]
async fn a_change_of_a_goal_is_told_live_to_its_owner_and_their_agents(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let other = test.create_agent(&bob, "other").await;
    let (mut to_ann, mut to_bob) = (test.stream(&ann).await, test.stream(&bob).await);
    let (mut to_scout, mut to_other) = (test.stream_with(&scout).await, test.stream_with(&other).await);
    change(&test, &ann, "ann", false, &[]).await;
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let told = json!({
        "goal_id": 7, "slug": "ship", "title": "Ship it", "status": "active", "task_id": 9, "task_status": "done",
        "by": "ann",
    });
    for stream in [&mut to_ann, &mut to_scout] {
        let events = stream.through(&end).await;
        let told_of: Vec<_> = events.iter().filter(|event| event.name == "goal_changed").collect();
        assert_eq!(told_of.iter().map(|event| &event.data).collect::<Vec<_>>(), [&told]);
    }
    for stream in [&mut to_bob, &mut to_other] {
        assert!(stream.through(&end).await.iter().all(|event| event.name != "goal_changed"));
    }
}

#[both_engines]
async fn a_move_of_a_goal_is_told_to_its_agents_but_the_one_that_did_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (mut to_planner, mut to_others) = (Receiver::start().await, Receiver::start().await);
    for (owner, agent) in [(&ann, "planner"), (&ann, "builder"), (&ann, "idle"), (&bob, "foreign")] {
        test.create_agent(owner, agent).await;
        let url = if agent == "planner" { &to_planner.url } else { &to_others.url };
        test.hook(owner, agent, url, &["goal.changed"]).await;
    }
    let planner = agent_id(&test, &ann, "planner").await;
    let builder = agent_id(&test, &ann, "builder").await;
    let foreign = agent_id(&test, &bob, "foreign").await;
    let agents = [&planner, &builder, &foreign];
    // Its cost changed, which is no move.
    change(&test, &ann, "ann", false, &agents).await;
    change(&test, &ann, "builder", true, &agents).await;
    let first = to_planner.next().await;
    let told = json!({
        "goal_id": 7, "slug": "ship", "title": "Ship it", "status": "active", "task_id": 9, "task": "Build",
        "task_status": "done", "by": "builder", "agent": "planner",
    });
    assert_eq!((&first.body()["type"], &first.body()["data"]), (&json!("goal.changed"), &told));
    change(&test, &ann, "ann", true, &agents).await;
    let second = to_others.next().await;
    assert_eq!((&second.body()["data"]["agent"], &second.body()["data"]["by"]), (&json!("builder"), &json!("ann")));
    assert_eq!(to_planner.next().await.body()["data"]["by"], "ann");
    assert!(to_planner.rest().is_empty() && to_others.rest().is_empty());
}
