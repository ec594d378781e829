//! Live events: who is told what, in which order, and from where a stream goes on.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::events::{After, NewEvent};
use svc_core::live::LiveBody;
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::sse::Sse;
use crate::support::store::work_once;
use crate::support::wait::{soon, until};

impl TestServer {
    /// Opens it after an event that was seen.
    async fn resume(&self, key: &str, after: i64) -> Sse {
        Sse::resume(self.request_with(key, Method::GET, "/api/events"), after).await
    }

    /// Stops, and starts another server on the same store.
    async fn restarted(self) -> (Self, tempfile::TempDir) {
        let hub = self.hub.config().clone();
        let data = self.stop().await;
        let server = Self::start_with(|mut config| {
            config.hub = hub;
            config
        });
        (server.await, data)
    }
}

fn direct(to: &str, body: &str) -> Value {
    json!({ "to": to, "body": body })
}

fn channel(name: &str, body: &str) -> Value {
    json!({ "channel": name, "body": body })
}

fn ids(messages: &[&Value]) -> Vec<i64> {
    messages.iter().map(|message| message["id"].as_i64().unwrap()).collect()
}

#[both_engines]
async fn everybody_is_told_in_order_what_they_may_see_and_nothing_else(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let (scout, critic) = (test.create_agent(&ann, "scout").await, test.create_agent(&bob, "critic").await);
    test.open_room(&bob, "secret", false, &["scout"]).await;
    test.open_room(&bob, "other", true, &[]).await;
    let limited = |channel: &str| json!({ "name": "k", "permissions": ["read"], "allowed_channels": [channel] });
    let (_, only_secret) = test.create_key(&bob, limited("secret")).await;
    let (_, only_general) = test.create_key(&ann, limited("general")).await;
    let mut streams = vec![
        ("ann", test.stream(&ann).await),
        ("bob", test.stream(&bob).await),
        ("eve", test.stream(&eve).await),
        ("scout", test.stream_with(&scout).await),
        ("critic", test.stream_with(&critic).await),
        ("secret", test.stream_with(&only_secret).await),
        ("general", test.stream_with(&only_general).await),
    ];
    let one = test.say(&ann, direct("bob", "between two humans")).await;
    let two = test.say_with(&critic, direct("scout", "between two agents")).await;
    let three = test.say(&bob, channel("secret", "in the private channel")).await;
    let four = test.say(&bob, channel("other", "in a public channel")).await;
    let five = test.say(&ann, channel("general", "for all")).await;
    for (name, stream) in &mut streams {
        let expected = match *name {
            "ann" | "bob" => ids(&[&one, &two, &three, &four, &five]),
            "scout" => ids(&[&two, &three, &four, &five]),
            "critic" => ids(&[&two, &four, &five]),
            "eve" => ids(&[&four, &five]),
            "general" => ids(&[&five]),
            "secret" => continue,
            other => panic!("{other}"),
        };
        assert_eq!(stream.messages_through(&five).await, expected, "{name}");
    }
    let mut secret = streams.swap_remove(5).1;
    let six = test.say(&bob, channel("secret", "again")).await;
    assert_eq!(secret.messages_through(&six).await, ids(&[&three, &six]));
}

#[both_engines]
async fn a_new_message_carries_what_the_contract_says(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut stream = test.stream(&bob).await;
    let sent = test.say(&ann, json!({ "to": "bob", "body": "a\nb", "subject": "plans", "priority": 7 })).await;
    let event = stream.next_of("new_message").await;
    assert_eq!(
        event.data,
        json!({
            "message_id": sent["id"], "conversation_id": sent["conversation_id"], "channel": null, "from": "ann",
            "from_kind": "human", "to": "bob", "subject": "plans", "preview": "a b", "priority": 7, "depth": 0,
            "mention_of": null, "mentions_me": false, "created_at": sent["created_at"],
        })
    );
}

#[both_engines]
async fn a_mention_is_marked_for_whom_it_names(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let (mut to_bob, mut to_eve) = (test.stream(&bob).await, test.stream(&eve).await);
    let said = test.say(&ann, channel("general", "look, @bob")).await;
    let (bobs, eves) = (to_bob.next_of("new_message").await, to_eve.next_of("new_message").await);
    assert_eq!((&bobs.data["message_id"], &bobs.data["mentions_me"]), (&said["id"], &json!(true)));
    assert_eq!((&eves.data["message_id"], &eves.data["mentions_me"]), (&said["id"], &json!(false)));
    // The direct message that tells of it.
    let told = to_bob.next_of("new_message").await;
    assert_eq!((&told.data["mention_of"], &told.data["mentions_me"]), (&said["id"], &json!(true)));
    let end = test.say(&ann, channel("general", "that is all")).await;
    assert_eq!(to_eve.messages_through(&end).await, ids(&[&end]));
}

#[both_engines]
async fn what_many_write_through_several_processes_is_told_once_and_in_order(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let keys = [test.create_agent(&ann, "scout").await, test.create_agent(&ann, "critic").await];
    let mut stream = test.stream(&bob).await;
    let start = stream.last_id;
    let other = test.another().await;
    let sending = (0..20).map(|number: usize| {
        let hub = if number.is_multiple_of(2) { test.hub.clone() } else { other.clone() };
        let key = keys[number % 4 / 2].clone();
        tokio::spawn(async move {
            let caller = hub.auth().bearer(&key).await.unwrap();
            let mut sent = Vec::new();
            for _ in 0..10 {
                let to = NewMessage { to: Some("bob".into()), body: "hi".into(), ..NewMessage::default() };
                sent.push(hub.messages().send(&caller, to).await.unwrap().id.0);
            }
            sent
        })
    });
    let mut sent: Vec<i64> = join_all(sending).await.into_iter().flat_map(Result::unwrap).collect();
    let last = test.say(&ann, direct("bob", "that is all")).await;
    sent.push(last["id"].as_i64().unwrap());
    let seen = stream.messages_through(&last).await;
    let mut told = seen.clone();
    told.sort_unstable();
    sent.sort_unstable();
    assert_eq!(told, sent, "everything once");
    // The order is the same for everybody, also for whoever comes later.
    let request = test.request_as(&bob, Method::GET, "/api/events");
    assert_eq!(Sse::resume(request, start).await.messages_through(&last).await, seen);
    other.close().await;
}

#[both_engines]
async fn a_stream_goes_on_where_it_was_across_a_restart(test: TestServer) {
    let (ann, _) = (test.person("ann").await, test.person("bob").await);
    let (scout, critic) = (test.create_agent(&ann, "scout").await, test.create_agent(&ann, "critic").await);
    let mut stream = test.stream_with(&scout).await;
    let first = test.say_with(&critic, direct("scout", "1")).await;
    let seen = stream.next_of("new_message").await;
    assert_eq!(seen.data["message_id"], first["id"]);
    let second = test.say_with(&critic, direct("scout", "2")).await;
    let (test, _data) = test.restarted().await;
    let third = test.say_with(&critic, direct("scout", "3")).await;
    let mut resumed = test.resume(&scout, seen.id.unwrap()).await;
    let fourth = test.say_with(&critic, direct("scout", "4")).await;
    assert_eq!(resumed.messages_through(&fourth).await, ids(&[&second, &third, &fourth]));
    // The same by the query; the header counts first.
    let path = format!("/api/events?after={}", seen.id.unwrap());
    let mut asked = Sse::open_at(test.request_with(&scout, Method::GET, &path), None).await.0;
    assert_eq!(asked.messages_through(&fourth).await, ids(&[&second, &third, &fourth]));
    let mut headed = Sse::resume(test.request_with(&scout, Method::GET, &path), resumed.last_id).await;
    let fifth = test.say_with(&critic, direct("scout", "5")).await;
    assert_eq!(headed.messages_through(&fifth).await, ids(&[&fifth]));
}

#[both_engines]
async fn a_place_that_is_no_place_is_refused(test: TestServer) {
    let ann = test.person("ann").await;
    for text in ["x", "-1", "1.5", ""] {
        let request = test.request_as(&ann, Method::GET, "/api/events").header("Last-Event-ID", text);
        let body = problem(request.send().await.unwrap(), 400, "validation_failed").await;
        assert_eq!(body["errors"][0]["field"], "Last-Event-ID");
        let request = test.request_as(&ann, Method::GET, &format!("/api/events?after={text}"));
        let body = problem(request.send().await.unwrap(), 400, "validation_failed").await;
        assert_eq!(body["errors"][0]["field"], "after");
    }
    problem(test.get("/api/events").await, 401, "unauthenticated").await;
}

#[both_engines]
async fn whoever_resumes_from_the_future_or_too_late_is_told_to_start_anew(test: TestServer) {
    let ann = test.person("ann").await;
    let (scout, critic) = (test.create_agent(&ann, "scout").await, test.create_agent(&ann, "critic").await);
    let ask = || test.request_with(&scout, Method::GET, "/api/events");
    let (mut stream, hello) = Sse::open_at(ask(), Some(1_000_000)).await;
    let reset = stream.next().await;
    assert_eq!((reset.name.as_str(), &reset.data), ("reset", &json!({ "reason": "future" })));
    assert_eq!(reset.id, hello.id);
    let sent = test.say_with(&critic, direct("scout", "1")).await;
    assert_eq!(stream.messages_through(&sent).await, ids(&[&sent]));

    test.clock.advance(Duration::from_hours(8 * 24));
    until("the old events are swept", async || {
        work_once(&test.hub, "event_retention").await;
        test.hub.events().read(svc_core::ids::EventSeq(0), 1).await.unwrap().is_empty().then_some(())
    })
    .await;
    let (mut stream, _) = Sse::open_at(ask(), Some(1)).await;
    let reset = stream.next().await;
    assert_eq!((reset.name.as_str(), &reset.data), ("reset", &json!({ "reason": "expired" })));
    let sent = test.say_with(&critic, direct("scout", "2")).await;
    assert_eq!(stream.messages_through(&sent).await, ids(&[&sent]));
}

#[both_engines]
async fn whoever_leaves_a_private_channel_is_told_nothing_more_of_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let critic = test.create_agent(&bob, "critic").await;
    test.open_room(&ann, "secret", false, &[]).await;
    let (mut to_bob, mut to_critic) = (test.stream(&bob).await, test.stream_with(&critic).await);
    test.say(&ann, channel("secret", "before")).await;
    test.let_in(&ann, "secret", "critic").await;
    let during = test.say(&ann, channel("secret", "during")).await;
    // Both are told before the door closes: a stream that lags behind judges by who is inside by then.
    let joined = to_bob.next_of("channel_changed").await;
    let news = json!({ "channel": "secret", "action": "member_joined", "member": "critic" });
    assert_eq!(joined.data, news);
    assert_eq!(to_bob.next_of("new_message").await.data["message_id"], during["id"]);
    assert_eq!(to_critic.messages_through(&during).await, ids(&[&during]));
    test.show_out(&ann, "secret", "critic").await;
    test.say(&ann, channel("secret", "after")).await;
    let end = test.say(&ann, channel("general", "for all")).await;
    assert_eq!(to_bob.next_of("channel_changed").await.data["action"], "member_left");
    assert_eq!(to_bob.messages_through(&end).await, ids(&[&end]));
    assert_eq!(to_critic.messages_through(&end).await, ids(&[&end]));
}

#[both_engines]
async fn a_channel_that_becomes_private_is_gone_for_others_now_and_in_what_was(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.open_room(&ann, "plans", true, &["bob"]).await;
    let mut stream = test.stream(&eve).await;
    let start = stream.last_id;
    let before = test.say(&ann, channel("plans", "public")).await;
    assert_eq!(stream.messages_through(&before).await, ids(&[&before]));
    test.set_public(&ann, "plans", false).await;
    let inside = test.say(&ann, channel("plans", "private")).await;
    let between = test.say(&ann, channel("general", "for all")).await;
    assert_eq!(stream.messages_through(&between).await, ids(&[&between]));

    let again = |person: &Person| test.request_as(person, Method::GET, "/api/events");
    let mut replayed = Sse::resume(again(&eve), start).await;
    assert_eq!(replayed.messages_through(&between).await, ids(&[&between]), "what was public is private now");
    let mut member = Sse::resume(again(&bob), start).await;
    assert_eq!(member.messages_through(&between).await, ids(&[&before, &inside, &between]));

    test.set_public(&ann, "plans", true).await;
    let open = test.say(&ann, channel("plans", "public again")).await;
    assert_eq!(stream.messages_through(&open).await, ids(&[&open]));
    assert_eq!(replayed.messages_through(&open).await, ids(&[&open]));
}

#[both_engines]
async fn a_human_is_told_of_agents_that_are_made_meanwhile(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (mut to_ann, mut to_bob) = (test.stream(&ann).await, test.stream(&bob).await);
    test.create_agent(&ann, "scout").await;
    assert_eq!(to_ann.next().await.data, json!({ "agent": "scout", "action": "created" }));
    test.open_room(&bob, "secret", false, &["scout"]).await;
    let sent = test.say(&bob, channel("secret", "hello scout")).await;
    assert_eq!(to_ann.messages_through(&sent).await, ids(&[&sent]));
    let answer = test.request_as(&ann, Method::DELETE, "/api/agents/scout").send().await.unwrap();
    assert_eq!(answer.status(), 204);
    assert_eq!(to_ann.next_of("agent_changed").await.data["action"], "deleted");
    let end = test.say(&bob, channel("general", "for all")).await;
    assert!(to_bob.through(&end).await.iter().all(|event| event.name != "agent_changed"));
}

#[both_engines]
async fn changes_of_messages_are_told_to_those_who_see_the_message(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    test.run_workflow(&ann, "plans").await;
    let (mut to_ann, mut to_eve) = (test.stream(&ann).await, test.stream(&eve).await);
    let task = test.say(&ann, direct("bob", "do this")).await;
    test.claim(&bob).await;
    let plan = test.say(&ann, channel("plans", "let us")).await;
    assert_eq!(test.react(&bob, &plan, "approve").await.status(), 200);
    for kind in ["odd.kind", "message.forgotten"] {
        test.hub.events().append(NewEvent::new(kind, &json!({ "public": true })).unwrap()).await.unwrap();
    }
    let end = test.say(&ann, channel("general", "for all")).await;

    let told = to_ann.through(&end).await;
    let only = |name: &str| {
        let mut of_name = told.iter().filter(|event| event.name == name).map(|event| &event.data);
        let one = of_name.next().unwrap_or_else(|| panic!("no {name} in {told:?}"));
        assert_eq!(of_name.next(), None);
        one
    };
    let claimed = only("message_updated");
    assert_eq!((&claimed["message_id"], &claimed["status"]), (&task["id"], &json!("processing")));
    assert_eq!(claimed["claimed_by"], "bob");
    let reaction = only("reaction_changed");
    assert_eq!((&reaction["message_id"], &reaction["by"]), (&plan["id"], &json!("bob")));
    assert_eq!((&reaction["reaction"], &reaction["action"]), (&json!("approve"), &json!("added")));
    let state = only("workflow_state_changed");
    assert_eq!((&state["old_state"], &state["new_state"]), (&json!("proposed"), &json!("approved")));
    for hidden in ["sender_id", "recipient_owner_id", "public", "by_id"] {
        assert_eq!(state.get(hidden), None);
    }
    for event in to_eve.through(&end).await {
        assert!(["new_message", "channel_changed"].contains(&event.name.as_str()), "{event:?}");
        assert_ne!(event.data["channel"], "plans");
    }
}

#[both_engines]
async fn a_feed_that_waits_holds_little(test: TestServer) {
    let mut feed = test.hub.live().follow(&Caller::root(), After::Now).await.unwrap();
    let size = size_of_val(&feed) + size_of_val(&feed.next());
    assert!(size <= 3 * 1024, "thousands of them wait, and each takes {size} bytes");
    test.stop().await;
}

#[both_engines]
async fn whoever_holds_the_process_is_told_everything(test: TestServer) {
    let (ann, _) = (test.person("ann").await, test.person("bob").await);
    let mut feed = test.hub.live().follow(&Caller::root(), After::Now).await.unwrap();
    let hello = feed.next().await.unwrap().unwrap();
    assert!(matches!(hello.body(), LiveBody::Hello(hello) if hello.you.is_none()));
    let sent = test.say(&ann, direct("bob", "private")).await;
    let told = soon("the message", feed.next()).await.unwrap().unwrap();
    let LiveBody::NewMessage(news) = told.body() else { panic!("{told:?}") };
    assert_eq!(Some(news.message_id.0), sent["id"].as_i64());
    assert_eq!(serde_json::from_str::<Value>(told.data()).unwrap()["message_id"], sent["id"]);
}
