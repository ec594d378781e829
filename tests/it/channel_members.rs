//! Members of channels: they join, leave, are invited and removed, and are counted exactly.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};

async fn members(test: &TestServer, who: &Person, channel: &str) -> Vec<String> {
    let page = test.look(who, &format!("/api/channels/{channel}/members?limit=200")).await;
    let names: Vec<_> =
        page["members"].as_array().unwrap().iter().map(|member| member["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(page["total"].as_u64(), Some(names.len() as u64), "{page}");
    let channel = test.look(who, &format!("/api/channels/{channel}")).await;
    assert_eq!(channel["member_count"], page["total"]);
    names
}

#[both_engines]
async fn people_and_agents_come_and_go(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    for agent in ["b-one", "b-two"] {
        test.create_agent(&bob, agent).await;
    }
    let key = test.create_agent(&ann, "keeper").await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team" })).await;
    // A request without a body means the caller.
    let joined = test.request_as(&bob, Method::POST, "/api/channels/team/join").send().await.unwrap();
    assert_eq!(joined.status(), 200);
    assert_eq!(joined.json::<Value>().await.unwrap()["is_member"], true);
    for agent in ["b-one", "B-Two", "b-two"] {
        test.did(&bob, Method::POST, "/api/channels/team/join", json!({ "agent": agent })).await;
    }
    assert_eq!(members(&test, &ann, "team").await, ["ann", "b-one", "b-two", "bob"]);
    let foreign = test.ask(&bob, Method::POST, "/api/channels/team/join", json!({ "agent": "keeper" })).await;
    assert_eq!(problem(foreign, 400, "validation_failed").await["errors"][0]["field"], "agent");
    let other = test.request_with(&key, Method::POST, "/api/channels/team/join").json(&json!({ "agent": "b-one" }));
    problem(other.send().await.unwrap(), 400, "validation_failed").await;
    assert_eq!(test.request_with(&key, Method::POST, "/api/channels/team/join").send().await.unwrap().status(), 200);

    test.did(&bob, Method::POST, "/api/channels/team/leave", json!({ "agent": "b-one" })).await;
    assert_eq!(members(&test, &ann, "team").await, ["ann", "b-two", "bob", "keeper"]);
    // A human takes their agents along; nobody else goes.
    let left = test.request_as(&bob, Method::POST, "/api/channels/team/leave").send().await.unwrap();
    assert_eq!(left.status(), 204);
    assert_eq!(members(&test, &ann, "team").await, ["ann", "keeper"]);
    test.did(&bob, Method::POST, "/api/channels/team/leave", json!({})).await;
    problem(test.ask(&ann, Method::POST, "/api/channels/team/leave", json!({})).await, 409, "owner_cannot_leave").await;
    problem(
        test.ask(&ann, Method::DELETE, "/api/channels/team/members/ann", json!({})).await,
        409,
        "owner_cannot_leave",
    )
    .await;
    assert_eq!(members(&test, &ann, "team").await, ["ann", "keeper"]);
    // Nor can the human whose agent owns it, because it would go along.
    test.did(&ann, Method::PUT, "/api/channels/team/owner", json!({ "owner": "keeper" })).await;
    problem(test.ask(&ann, Method::POST, "/api/channels/team/leave", json!({})).await, 409, "owner_cannot_leave").await;
    let kept = test.ask(&ann, Method::POST, "/api/channels/team/leave", json!({ "agent": "keeper" })).await;
    assert_eq!(problem(kept, 409, "owner_cannot_leave").await["owner"], "keeper");
    test.did(&ann, Method::PUT, "/api/channels/team/owner", json!({ "owner": "ann" })).await;
    test.did(&ann, Method::POST, "/api/channels/team/leave", json!({ "agent": "keeper" })).await;
    assert_eq!(members(&test, &ann, "team").await, ["ann"]);
    test.stop().await;
}

#[both_engines]
async fn members_invite_in_public_and_owners_in_private(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.create_agent(&eve, "robot").await;
    for (name, public) in [("open", true), ("closed", false)] {
        test.did(&ann, Method::POST, "/api/channels", json!({ "name": name, "public": public, "members": ["bob"] }))
            .await;
    }
    let invite = async |who: &Person, channel: &str, members: Value| {
        test.ask(who, Method::POST, &format!("/api/channels/{channel}/members"), json!({ "members": members })).await
    };
    problem(invite(&eve, "open", json!(["robot"])).await, 403, "not_a_member").await;
    problem(invite(&bob, "closed", json!(["eve"])).await, 403, "channel_owner_required").await;
    problem(invite(&eve, "closed", json!(["eve"])).await, 404, "not_found").await;
    let invited = invite(&bob, "open", json!(["robot", "Eve"])).await;
    assert_eq!(invited.status(), 200);
    let invited: Value = invited.json().await.unwrap();
    assert_eq!((&invited["members"][0]["name"], &invited["members"][1]["name"]), (&json!("robot"), &json!("eve")));
    let bad = problem(invite(&ann, "closed", json!(["eve", "nobody"])).await, 400, "validation_failed").await;
    assert_eq!(bad["errors"][0]["field"], "members[1]");
    for members in [json!([]), json!(vec!["eve"; 101])] {
        problem(invite(&ann, "closed", members).await, 400, "validation_failed").await;
    }
    assert_eq!(members(&test, &ann, "closed").await, ["ann", "bob"], "all or none");
    assert_eq!(invite(&ann, "closed", json!(["@robot"])).await.status(), 200);
    assert_eq!(test.look(&eve, "/api/channels/closed").await["is_member"], false, "she sees it through her agent");

    let remove = async |who: &Person, channel: &str, handle: &str| {
        test.ask(who, Method::DELETE, &format!("/api/channels/{channel}/members/{handle}"), json!({})).await
    };
    problem(remove(&bob, "open", "eve").await, 403, "channel_owner_required").await;
    problem(remove(&bob, "open", "nobody").await, 403, "channel_owner_required").await;
    problem(remove(&ann, "open", "nobody").await, 404, "not_found").await;
    assert_eq!(remove(&eve, "closed", "robot").await.status(), 204, "her own agent");
    problem(test.request_as(&eve, Method::GET, "/api/channels/closed").send().await.unwrap(), 404, "not_found").await;
    assert_eq!(remove(&ann, "open", "eve").await.status(), 204);
    assert_eq!(members(&test, &ann, "open").await, ["ann", "bob"], "her agent went along");
    assert_eq!(remove(&bob, "open", "bob").await.status(), 204, "which is leaving");
    assert_eq!(members(&test, &ann, "open").await, ["ann"]);
    test.stop().await;
}

#[both_engines]
async fn whoever_is_deleted_leaves_their_channels_to_others(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&bob, "keeper").await;
    let agent = test.hub.auth().bearer(&key).await.unwrap();
    let create = |name: &str| svc_core::channels::NewChannel {
        public: Some(false),
        ..svc_core::channels::NewChannel::named(name)
    };
    test.hub.channels().create(&agent, create("den")).await.unwrap();
    test.did(&bob, Method::POST, "/api/channels", json!({ "name": "bobs", "members": ["ann", "keeper"] })).await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "anns", "members": ["bob", "keeper"] })).await;
    let ours = json!({ "name": "ours", "public": false, "members": ["ann", "keeper"] });
    test.did(&bob, Method::POST, "/api/channels", ours).await;
    test.did(&bob, Method::DELETE, "/api/agents/keeper", json!({})).await;
    assert_eq!(test.look(&bob, "/api/channels/den").await["owner"], "bob");
    assert_eq!(members(&test, &bob, "den").await, ["bob"]);
    assert_eq!(members(&test, &ann, "anns").await, ["ann", "bob"]);
    test.hub.users().delete(&Caller::root(), "bob").await.unwrap();
    assert_eq!(members(&test, &ann, "anns").await, ["ann"]);
    assert_eq!(members(&test, &ann, "bobs").await, ["admin", "ann"]);
    assert_eq!(test.look(&ann, "/api/channels/bobs").await["owner"], "admin");
    // A private channel goes to a human who is in it; one without any to nobody.
    assert_eq!(test.look(&ann, "/api/channels/ours").await["owner"], "ann");
    assert_eq!(members(&test, &ann, "ours").await, ["ann"]);
    let den = test.hub.channels().get(&Caller::root(), "den").await.unwrap();
    assert!(den.archived_at.is_some());
    assert_eq!(den.member_count, 0);
    problem(
        test.ask(&ann, Method::POST, "/api/channels/bobs/members", json!({ "members": ["bob"] })).await,
        400,
        "validation_failed",
    )
    .await;
    test.stop().await;
}

#[both_engines]
async fn many_who_come_and_go_at_once_are_counted_exactly(test: TestServer) {
    let ann = test.person("ann").await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team" })).await;
    let mut agents = Vec::new();
    for number in 0..8 {
        let key = test.create_agent(&ann, &format!("bot-{number}")).await;
        agents.push(test.hub.auth().bearer(&key).await.unwrap());
    }
    let owner = test.caller(&ann).await;
    // Each agent comes, goes, speaks and is removed, all at once; those with an even number end inside.
    let racers: Vec<_> = (0..32)
        .map(|turn: usize| {
            let (hub, agent, owner) = (test.hub.clone(), agents[turn % 8].clone(), owner.clone());
            tokio::spawn(async move {
                match turn / 8 {
                    0 => drop(hub.channels().join(&agent, "team", None).await.unwrap()),
                    1 => hub.channels().leave(&agent, "team", None).await.unwrap(),
                    2 => {
                        drop(
                            hub.messages()
                                .send(&agent, svc_core::messages::NewMessage::in_channel("team", "hi"))
                                .await
                                .unwrap(),
                        );
                    }
                    // It may be gone already.
                    _ => drop(hub.channels().remove(&owner, "team", &format!("bot-{}", turn % 8)).await),
                }
            })
        })
        .collect();
    for racer in racers {
        racer.await.unwrap();
    }
    members(&test, &ann, "team").await;
    for agent in agents.iter().step_by(2) {
        test.hub.channels().join(agent, "team", None).await.unwrap();
    }
    let inside = members(&test, &ann, "team").await;
    assert!(["ann", "bot-0", "bot-2", "bot-4", "bot-6"].iter().all(|name| inside.iter().any(|inside| inside == name)));
    // Whoever comes has read everything, however often they came before.
    for agent in agents.iter().step_by(2) {
        test.hub.channels().leave(agent, "team", None).await.unwrap();
        test.say_in(&owner, "team", "unheard").await;
        test.hub.channels().join(agent, "team", None).await.unwrap();
        assert_eq!(test.hub.channels().get(agent, "team").await.unwrap().unread, 0);
    }
    test.stop().await;
}
