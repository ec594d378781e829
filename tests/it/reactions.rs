//! Reactions: set, taken back, refused, claimed once, whatever happens at the same time.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::ids::MessageId;
use svc_core::reactions::ReactionKind;
use svc_test_macros::both_engines;

use crate::support::server::told;
use crate::support::server::{TestServer, problem};

const ALL: [&str; 5] = ["approve", "reject", "in_progress", "done", "published"];

/// `by reaction`, in the order of the list.
fn marks(answer: &Value) -> Vec<String> {
    let mark = |one: &Value| format!("{} {}", one["by"].as_str().unwrap(), one["reaction"].as_str().unwrap());
    answer["reactions"].as_array().unwrap().iter().map(mark).collect()
}

#[both_engines]
async fn a_reaction_is_set_and_taken_back(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let reviewer = test.create_agent(&bob, "reviewer").await;
    let said = test.say(&ann, json!({ "to": "reviewer", "body": "ready?" })).await;
    let path = format!("/api/messages/{}/reactions", said["id"]);
    assert_eq!(test.look(&ann, &path).await, json!({ "reactions": [], "workflow_state": null }));
    let note = json!({ "reaction": "done", "metadata": { "note": "Ü", "run": 7 } });
    let set = told(test.request_with(&reviewer, Method::POST, &path).json(&note).send().await.unwrap(), 200).await;
    assert_eq!((&set["action"], &set["workflow_state"]), (&json!("added"), &Value::Null));
    let mark = &set["reactions"][0];
    assert_eq!(
        (&mark["by"], &mark["by_kind"], &mark["reaction"]),
        (&json!("reviewer"), &json!("agent"), &json!("done"))
    );
    assert_eq!((&mark["metadata"], &mark["created_at"]), (&note["metadata"], &json!("2026-01-01T00:00:00.000Z")));
    // Others may say the same, and the same may say other things.
    assert_eq!(marks(&told(test.react(&bob, &said, "done").await, 200).await), ["reviewer done", "bob done"]);
    let both = told(test.react(&bob, &said, "approve").await, 200).await;
    assert_eq!(marks(&both), ["reviewer done", "bob done", "bob approve"]);
    let seen = test.look(&ann, &format!("/api/messages/{}", said["id"])).await;
    assert_eq!(seen["reactions"], both["reactions"]);
    assert_eq!(test.look(&ann, &path).await["reactions"], both["reactions"]);
    // Said again it is taken back, or by asking for that.
    let back = told(test.react_with(&reviewer, &said, "done").await, 200).await;
    assert_eq!((&back["action"], marks(&back)), (&json!("removed"), vec!["bob done".to_owned(), "bob approve".into()]));
    let back = told(test.unreact(&bob, &said, "done").await, 200).await;
    assert_eq!((&back["action"], marks(&back)), (&json!("removed"), vec!["bob approve".to_owned()]));
    problem(test.unreact(&bob, &said, "done").await, 404, "not_found").await;
    problem(test.unreact(&ann, &said, "approve").await, 404, "not_found").await;
    let told = test.events_of("reaction.changed").await;
    assert_eq!(told.len(), 5);
    let last = &told[4];
    assert_eq!((&last["message_id"], &last["by"], &last["reaction"]), (&said["id"], &json!("bob"), &json!("done")));
    assert_eq!((&last["action"], &last["public"], &last["channel"]), (&json!("removed"), &json!(false), &Value::Null));
    for field in ["conversation_id", "sender_id", "sender_owner_id", "recipient_id", "recipient_owner_id", "by_id"] {
        assert!(last[field].is_i64(), "{field} is missing in {last}");
    }
    assert!(test.events_of("workflow.state_changed").await.is_empty());
    test.stop().await;
}

#[both_engines]
async fn bad_reactions_are_refused_by_field_and_leave_nothing_behind(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let said = test.say(&ann, json!({ "to": "bob", "body": "ready?" })).await;
    let path = format!("/api/messages/{}/reactions", said["id"]);
    let (_, reader) = test.create_key(&bob, json!({ "name": "reader", "permissions": ["read"] })).await;
    let before = test.hub.events().head().unwrap();
    for (body, field) in [
        (json!({}), "reaction"),
        (json!({ "reaction": "thumbs_up" }), "reaction"),
        (json!({ "reaction": "Approve" }), "reaction"),
        (json!({ "reaction": 1 }), "reaction"),
        (json!({ "reaction": "done", "metadata": [] }), "metadata"),
        (json!({ "reaction": "done", "metadata": "text" }), "metadata"),
        (json!({ "reaction": "done", "metadata": { "k": "x".repeat(4096) } }), "metadata"),
        (json!({ "reaction": "done", "metadata": { "k": "a\u{0}b" } }), "metadata"),
        (json!({ "reaction": "done", "metadata": { "a\u{0}b": 1 } }), "metadata"),
        (json!({ "reaction": "done", "by": "ann" }), "by"),
    ] {
        let answer = test.request_as(&bob, Method::POST, &path).json(&body).send().await.unwrap();
        let refusal = problem(answer, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field, "{refusal}");
    }
    for answer in [test.react(&bob, &said, "like").await, test.unreact(&bob, &said, "like").await] {
        let refusal = problem(answer, 400, "validation_failed").await;
        for word in ALL {
            assert!(refusal["detail"].as_str().unwrap().contains(word), "{refusal}");
        }
    }
    let missing =
        problem(test.request_as(&bob, Method::DELETE, &path).send().await.unwrap(), 400, "validation_failed").await;
    assert_eq!(missing["errors"][0]["field"], "reaction");
    problem(test.request(Method::GET, &path).send().await.unwrap(), 401, "unauthenticated").await;
    let (root, id) = (Caller::root(), MessageId(said["id"].as_i64().unwrap()));
    let by_root = test.hub.reactions().toggle(&root, id, ReactionKind::Done, None).await;
    assert_eq!(by_root.unwrap_err().code(), "participant_required");
    problem(test.react_with(&reader, &said, "done").await, 403, "permission_denied").await;
    assert_eq!(test.look_with(&reader, &path).await["reactions"], json!([]));
    assert_eq!(test.hub.events().head().unwrap(), before, "nothing happened");
    test.stop().await;
}

#[both_engines]
async fn whoever_sees_a_message_reacts_and_for_others_it_is_not_there(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let reviewer = test.create_agent(&bob, "reviewer").await;
    test.room("ann", "secret", false, &["reviewer"]).await;
    let direct = test.say(&ann, json!({ "to": "reviewer", "body": "between us" })).await;
    let hidden = test.say(&ann, json!({ "channel": "secret", "body": "among us" })).await;
    let open = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    for message in [&direct, &hidden, &json!({ "id": 999_999 }), &json!({ "id": -1 })] {
        problem(test.react(&eve, message, "done").await, 404, "not_found").await;
        problem(test.unreact(&eve, message, "done").await, 404, "not_found").await;
        let path = format!("/api/messages/{}/reactions", message["id"]);
        problem(test.request_as(&eve, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    }
    // The agent, and the human it belongs to, each for themselves.
    for message in [&direct, &hidden] {
        told(test.react_with(&reviewer, message, "done").await, 200).await;
        assert_eq!(marks(&told(test.react(&bob, message, "done").await, 200).await), ["reviewer done", "bob done"]);
    }
    // In a public channel everybody does, and does not become a member by it.
    let members = test.number("SELECT member_count FROM channels WHERE name = 'general'").await;
    told(test.react(&eve, &open, "approve").await, 200).await;
    assert_eq!(test.number("SELECT member_count FROM channels WHERE name = 'general'").await, members);
    // A key that is limited to channels sees nothing outside of them.
    let limits = json!({ "name": "limited", "permissions": ["write"], "allowed_channels": ["general"] });
    let (_, key) = test.create_key(&bob, limits).await;
    problem(test.react_with(&key, &direct, "approve").await, 404, "not_found").await;
    problem(test.react_with(&key, &hidden, "approve").await, 404, "not_found").await;
    told(test.react_with(&key, &open, "approve").await, 200).await;
    // What is archived can be read.
    test.set_room("secret", "archived_at = 1").await;
    problem(test.react(&bob, &hidden, "approve").await, 409, "channel_archived").await;
    problem(test.unreact(&bob, &hidden, "done").await, 409, "channel_archived").await;
    assert_eq!(marks(&test.look(&bob, &format!("/api/messages/{}/reactions", hidden["id"])).await).len(), 2);
    test.stop().await;
}

#[both_engines]
async fn a_claim_is_given_once_and_ended_by_those_who_may(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let (writer, editor) = (test.create_agent(&ann, "writer").await, test.create_agent(&bob, "editor").await);
    test.room("eve", "ops", true, &[]).await;
    let said = test.say_with(&writer, json!({ "channel": "ops", "body": "who?" })).await;
    told(test.react_with(&editor, &said, "in_progress").await, 200).await;
    for answer in [test.react(&ann, &said, "in_progress").await, test.react_with(&writer, &said, "in_progress").await] {
        let refusal = problem(answer, 409, "already_claimed").await;
        assert_eq!(refusal["holder"], "editor");
        assert!(refusal["detail"].as_str().unwrap().contains("editor"), "{refusal}");
    }
    // Somebody who is none of those who may.
    let joe = test.person("joe").await;
    let refusal = problem(test.unreact(&joe, &said, "in_progress").await, 403, "claim_of_another").await;
    assert!(refusal["detail"].as_str().unwrap().contains("editor"), "{refusal}");
    // Nobody takes another's opinion away.
    told(test.react_with(&editor, &said, "approve").await, 200).await;
    problem(test.unreact(&eve, &said, "approve").await, 404, "not_found").await;
    // The channel's owner, the author's human, the holder's human, the author, the holder.
    for person in [&eve, &ann, &bob] {
        let ended = told(test.unreact(person, &said, "in_progress").await, 200).await;
        assert_eq!(marks(&ended), ["editor approve"]);
        told(test.react_with(&editor, &said, "in_progress").await, 200).await;
    }
    let path = format!("/api/messages/{}/reactions?reaction=in_progress", said["id"]);
    for key in [&writer, &editor] {
        told(test.request_with(key, Method::DELETE, &path).send().await.unwrap(), 200).await;
        problem(test.request_with(key, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
        told(test.react_with(&editor, &said, "in_progress").await, 200).await;
    }
    let told = test.events_of("reaction.changed").await;
    let by_eve: Vec<_> = told.iter().filter(|event| event["by"] == "eve").collect();
    assert_eq!((by_eve.len(), &by_eve[0]["of"], &by_eve[0]["public"]), (1, &json!("editor"), &json!(true)));
    test.stop().await;
}

#[both_engines]
async fn of_many_who_claim_at_once_one_wins_and_is_named(test: TestServer) {
    let ann = test.person("ann").await;
    let mut keys = Vec::new();
    for number in 0..12 {
        keys.push(test.create_agent(&ann, &format!("worker-{number}")).await);
    }
    for round in 0..4 {
        let said = test.say(&ann, json!({ "channel": "general", "body": format!("task {round}") })).await;
        let answers = join_all(keys.iter().map(|key| test.react_with(key, &said, "in_progress"))).await;
        let mut refused = Vec::new();
        for answer in answers {
            if answer.status() != 200 {
                refused.push(problem(answer, 409, "already_claimed").await);
            }
        }
        assert_eq!(refused.len(), 11);
        let after = test.look(&ann, &format!("/api/messages/{}/reactions", said["id"])).await;
        assert_eq!(marks(&after).len(), 1);
        let holder = after["reactions"][0]["by"].as_str().unwrap();
        assert!(refused.iter().all(|refusal| refusal["holder"] == holder), "{refused:?}");
        assert!(
            refused.iter().all(|refusal| refusal["detail"].as_str().unwrap().contains(&format!("{holder}."))),
            "{refused:?}"
        );
    }
    test.stop().await;
}

#[both_engines]
async fn what_many_do_at_once_ends_in_a_state_that_the_reactions_explain(test: TestServer) {
    let ann = test.person("ann").await;
    let mut keys = Vec::new();
    for number in 0..32 {
        keys.push(test.create_agent(&ann, &format!("worker-{number}")).await);
    }
    test.set_room("general", "workflow_enabled = TRUE").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "all at once" })).await;
    for round in 0..3_usize {
        let answers = join_all(
            keys.iter()
                .enumerate()
                .map(|(number, key)| test.react_with(key, &said, ALL[(number * 7 + round) % ALL.len()])),
        );
        for answer in answers.await {
            let status = answer.status();
            assert!(status == 200 || status == 409, "{status}");
        }
        let after = test.look(&ann, &format!("/api/messages/{}/reactions", said["id"])).await;
        let present: BTreeSet<_> =
            after["reactions"].as_array().unwrap().iter().map(|one| one["reaction"].as_str().unwrap()).collect();
        let ranks = [
            ("published", "published"),
            ("done", "done"),
            ("reject", "rejected"),
            ("in_progress", "in_progress"),
            ("approve", "approved"),
        ];
        let expected = ranks.iter().find(|(word, _)| present.contains(word)).map_or("proposed", |(_, state)| state);
        assert_eq!(after["workflow_state"], expected, "{after}");
        assert!(marks(&after).iter().filter(|mark| mark.ends_with("in_progress")).count() <= 1);
        let counted = test.number(format!("SELECT reaction_count FROM messages WHERE id = {}", said["id"])).await;
        assert_eq!(usize::try_from(counted).unwrap(), marks(&after).len());
    }
    // The events tell the same story: each begins where the one before ended.
    let told = test.events_of("workflow.state_changed").await;
    let mut state = json!("proposed");
    for event in &told {
        assert_eq!(event["old_state"], state, "{told:?}");
        state = event["new_state"].clone();
    }
    let last = test.look(&ann, &format!("/api/messages/{}", said["id"])).await;
    assert_eq!(last["workflow_state"], state);
    test.stop().await;
}
