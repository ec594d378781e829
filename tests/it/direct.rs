//! Timelines of channels and of pairs, partners, conversations: page by page, and nothing is missed.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::conversations::TimelineFilter;
use svc_core::ids::MessageId;
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem};
use crate::support::talk::ids;
use crate::support::wait::soon;

/// How many send at once in the race of a reader, and how much each.
const SENDERS: usize = 16;
const EACH: usize = 12;

fn more(timeline: &Value) -> (bool, bool) {
    (timeline["has_more_before"].as_bool().unwrap(), timeline["has_more_after"].as_bool().unwrap())
}

async fn unoffered(test: &TestServer, to: &str) -> i64 {
    let count = "SELECT count(*) FROM messages m JOIN participants p ON p.id = m.recipient_id
                  WHERE p.handle = $1 AND m.offered_at IS NULL";
    let db = test.hub.db();
    db.read(to.to_owned(), move |tx, to| Box::pin(tx.query(count).bind(to.as_str()).fetch_value())).await.unwrap()
}

#[both_engines]
async fn a_channel_is_read_page_by_page(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team", "members": ["bob"] })).await;
    let empty = test.look(&ann, "/api/channels/team/messages").await;
    assert_eq!(
        empty,
        json!({ "messages": [], "last_read_message_id": null, "has_more_before": false, "has_more_after": false })
    );
    let caller = test.caller(&ann).await;
    let mut sent = Vec::new();
    for number in 0..10 {
        sent.push(test.say_in(&caller, "team", &format!("message {number}")).await);
        // What is said elsewhere lies between them.
        test.write_to(&caller, "bob", "aside").await;
    }
    let read = async |query: &str| test.look(&bob, &format!("/api/channels/team/messages?{query}")).await;
    let newest = read("limit=4").await;
    assert_eq!((ids(&newest), more(&newest)), (sent[6..].to_vec(), (true, false)));
    assert_eq!(
        (&newest["messages"][0]["body"], &newest["messages"][0]["channel"]),
        (&json!("message 6"), &json!("team"))
    );
    assert!(newest["last_read_message_id"].is_null(), "a list is not a read");
    for (query, expected, both) in [
        (format!("limit=4&before={}", sent[6]), &sent[2..6], (true, true)),
        (format!("limit=4&before={}", sent[2]), &sent[..2], (false, true)),
        (format!("limit=4&before={}", sent[0]), &[][..], (false, true)),
        (format!("limit=4&after={}", sent[2]), &sent[3..7], (true, true)),
        (format!("limit=4&after={}", sent[7]), &sent[8..], (true, false)),
        (format!("after={}", sent[9]), &[][..], (true, false)),
        ("after=0".to_owned(), &sent[..], (false, false)),
        (format!("limit=5&around={}", sent[4]), &sent[2..7], (true, true)),
        (format!("limit=4&around={}", sent[9]), &sent[6..], (true, false)),
        (format!("limit=4&around={}", sent[0]), &sent[..3], (false, true)),
        (format!("limit=1&around={}", sent[5]), &sent[5..6], (true, true)),
        ("limit=200".to_owned(), &sent[..], (false, false)),
    ] {
        let page = read(&query).await;
        assert_eq!((ids(&page), more(&page)), (expected.to_vec(), both), "{query}");
    }
    for (query, field) in
        [("limit=0", "limit"), ("limit=201", "limit"), ("before=5&after=3", "after"), ("after=3&around=3", "around")]
    {
        let answer =
            test.request_as(&bob, Method::GET, &format!("/api/channels/team/messages?{query}")).send().await.unwrap();
        assert_eq!(faults(&problem(answer, 400, "validation_failed").await), [field], "{query}");
    }
    test.did(
        &bob,
        Method::POST,
        "/api/notifications/mark-read",
        json!({ "kind": "channel", "name": "team", "last_message_id": sent[3] }),
    )
    .await;
    assert_eq!(read("limit=1").await["last_read_message_id"], sent[3]);
    // Whoever is no member reads a public channel too, and is none by it.
    let eve = test.person("eve").await;
    assert_eq!(ids(&test.look(&eve, "/api/channels/team/messages").await), sent);
    assert_eq!(test.look(&eve, "/api/channels/team").await["is_member"], false);
    test.stop().await;
}

#[both_engines]
async fn what_was_handed_out_is_noted_and_nothing_is_read_by_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&bob, "helper").await;
    let (from_ann, helper) = (test.caller(&ann).await, test.hub.auth().bearer(&key).await.unwrap());
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team", "members": ["bob"] })).await;
    let said = test.say_in(&from_ann, "team", "one").await;
    test.write_to(&from_ann, "bob", "two").await;
    test.write_to(&from_ann, "helper", "three").await;
    let offered = async || -> i64 {
        let newest = "SELECT r.offered_id FROM read_cursors r JOIN participants p ON p.id = r.participant_id
                        JOIN conversations v ON v.id = r.conversation_id
                       WHERE p.handle = 'bob' AND v.channel_id IS NOT NULL";
        test.hub.db().read((), move |tx, ()| Box::pin(tx.query(newest).fetch_value())).await.unwrap()
    };
    assert_eq!((offered().await, unoffered(&test, "bob").await), (0, 1));
    test.look(&bob, "/api/channels/team/messages").await;
    test.look(&bob, "/api/dm/ann/messages").await;
    assert_eq!((offered().await, unoffered(&test, "bob").await), (said, 0));
    // An owner who looks at their agent's messages is not the agent.
    assert_eq!(test.look(&bob, "/api/dm/ann/messages?with=helper").await["messages"][0]["body"], "three");
    assert_eq!(unoffered(&test, "helper").await, 1);
    let own = test
        .hub
        .messages()
        .direct_timeline(&helper, "ann", svc_core::conversations::DirectFilter::default())
        .await
        .unwrap();
    assert_eq!((own.messages.len(), unoffered(&test, "helper").await), (1, 0));
    let unread = test.look(&bob, "/api/notifications/unread").await;
    assert!(unread.as_array().unwrap().iter().all(|entry| entry["unread"] == 1), "{unread}");
    test.stop().await;
}

#[both_engines]
async fn a_pair_is_read_over_all_its_subjects(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (from_ann, from_bob) = (test.caller(&ann).await, test.caller(&bob).await);
    let about = async |from: &svc_core::Caller, to: &str, subject: &str, number: usize| {
        let new = NewMessage { subject: Some(subject.into()), ..NewMessage::to(to, format!("message {number}")) };
        test.hub.messages().send(from, new).await.unwrap().id.0
    };
    let mut sent = Vec::new();
    for number in 0..130 {
        let subject = ["", "build", "deploy"][number % 3];
        sent.push(if number % 2 == 0 {
            about(&from_ann, "bob", subject, number).await
        } else {
            about(&from_bob, "ann", subject, number).await
        });
    }
    test.person("eve").await;
    about(&from_ann, "eve", "", 999).await;
    let page = test.look(&ann, "/api/dm/Bob/messages").await;
    assert_eq!((ids(&page), more(&page)), (sent[30..].to_vec(), (true, false)));
    let earlier = test.look(&bob, &format!("/api/dm/ann/messages?before={}", sent[30])).await;
    assert_eq!((ids(&earlier), more(&earlier)), (sent[..30].to_vec(), (false, true)));
    let few = test.look(&bob, &format!("/api/dm/ann/messages?limit=7&before={}", sent[100])).await;
    assert_eq!((ids(&few), more(&few)), (sent[93..100].to_vec(), (true, true)));
    for (query, expected, both) in [
        (format!("limit=5&around={}", sent[40]), &sent[38..43], (true, true)),
        (format!("limit=4&around={}", sent[129]), &sent[126..], (true, false)),
        (format!("limit=1&around={}", sent[0]), &sent[..1], (false, true)),
        (format!("limit=7&after={}", sent[9]), &sent[10..17], (true, true)),
        (format!("after={}", sent[125]), &sent[126..], (true, false)),
        ("limit=3&after=0".to_owned(), &sent[..3], (false, true)),
        (format!("after={}", sent[129]), &[][..], (true, false)),
    ] {
        let page = test.look(&bob, &format!("/api/dm/ann/messages?{query}")).await;
        assert_eq!((ids(&page), more(&page)), (expected.to_vec(), both), "{query}");
    }
    let both = test.request_as(&bob, Method::GET, "/api/dm/ann/messages?before=5&around=3").send().await.unwrap();
    assert_eq!(faults(&problem(both, 400, "validation_failed").await), ["around"]);
    assert!(page["last_read_message_id"].is_null());
    test.did(&ann, Method::POST, "/api/notifications/mark-read", json!({ "kind": "dm", "name": "bob" })).await;
    assert_eq!(test.look(&ann, "/api/dm/bob/messages?limit=1").await["last_read_message_id"], sent[129]);
    assert!(test.look(&bob, "/api/dm/ann/messages?limit=1").await["last_read_message_id"].is_null(), "that is ann's");

    let nothing = test.look(&bob, "/api/dm/eve/messages").await;
    assert_eq!((ids(&nothing), more(&nothing)), (vec![], (false, false)));
    problem(test.request_as(&bob, Method::GET, "/api/dm/nobody/messages").send().await.unwrap(), 404, "not_found")
        .await;
    problem(test.request_as(&bob, Method::GET, "/api/dm/a%00b/messages").send().await.unwrap(), 404, "not_found").await;
    for query in ["limit=0", "limit=201", "with=nobody"] {
        problem(
            test.request_as(&bob, Method::GET, &format!("/api/dm/ann/messages?{query}")).send().await.unwrap(),
            400,
            "validation_failed",
        )
        .await;
    }
    test.create_agent(&ann, "hers").await;
    let foreign = test.request_as(&bob, Method::GET, "/api/dm/ann/messages?with=hers").send().await.unwrap();
    assert_eq!(faults(&problem(foreign, 400, "validation_failed").await), ["with"]);
    test.stop().await;
}

#[both_engines]
async fn partners_come_latest_first(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&bob, "helper").await;
    let (from_ann, from_bob) = (test.caller(&ann).await, test.caller(&bob).await);
    let helper = test.hub.auth().bearer(&key).await.unwrap();
    assert_eq!(test.look(&ann, "/api/dm/partners").await, json!([]));
    test.write_to(&from_bob, "ann", "first").await;
    let second = test.write_to(&helper, "ann", &format!("**long**\n{}", "word ".repeat(60))).await;
    let partners = test.look(&ann, "/api/dm/partners").await;
    assert_eq!((&partners[0]["name"], &partners[1]["name"]), (&json!("helper"), &json!("bob")));
    assert_eq!(
        (&partners[0]["kind"], &partners[0]["display_name"], &partners[0]["last_message_id"]),
        (&json!("agent"), &json!("helper"), &json!(second))
    );
    let preview = partners[0]["preview"].as_str().unwrap();
    assert!(
        (115..=120).contains(&preview.chars().count()) && preview.ends_with('…') && !preview.contains('\n'),
        "{preview}"
    );
    assert_eq!((&partners[1]["preview"], &partners[1]["unread"]), (&json!("first"), &json!(1)));
    // What the caller sent counts as the latest, and is not unread.
    test.clock.advance(std::time::Duration::from_secs(1));
    let third = NewMessage { subject: Some("more".into()), ..NewMessage::to("bob", "third") };
    let third = test.hub.messages().send(&from_ann, third).await.unwrap();
    let partners = test.look(&ann, "/api/dm/partners").await;
    assert_eq!(
        (&partners[0]["name"], &partners[0]["preview"], &partners[0]["unread"]),
        (&json!("bob"), &json!("third"), &json!(1))
    );
    assert_eq!(partners[0]["last_message_at"], json!(third.created_at));
    assert_eq!(test.look(&ann, "/api/dm/partners?limit=1").await.as_array().unwrap().len(), 1);
    problem(
        test.request_as(&ann, Method::GET, "/api/dm/partners?limit=201").send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
    assert_eq!(
        test.look(&bob, "/api/dm/partners").await.as_array().unwrap().len(),
        1,
        "their agents' are their agents'"
    );
    // Whoever is gone has still written.
    test.did(&bob, Method::DELETE, "/api/agents/helper", json!({})).await;
    assert_eq!(test.look(&ann, "/api/dm/partners").await[1]["name"], "helper");
    assert_eq!(test.look(&ann, "/api/dm/helper/messages").await["messages"][0]["id"], second);
    test.stop().await;
}

#[both_engines]
async fn conversations_are_channels_and_pairs_with_their_subjects(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&bob, "helper").await;
    let (from_ann, helper) = (test.caller(&ann).await, test.hub.auth().bearer(&key).await.unwrap());
    let pause = || test.clock.advance(std::time::Duration::from_secs(1));
    test.did(&bob, Method::POST, "/api/channels", json!({ "name": "team" })).await;
    pause();
    let build = NewMessage { subject: Some("build".into()), ..NewMessage::to("bob", "it\nfails") };
    let build = test.hub.messages().send(&from_ann, build).await.unwrap();
    pause();
    test.write_to(&from_ann, "helper", "look").await;
    pause();
    test.say_in(&helper, "general", "hello all").await;
    let list = test.look(&bob, "/api/conversations").await;
    assert_eq!(list["total"], 3, "general is the agent's, not bob's: {list}");
    let told: Vec<_> = list["conversations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["kind"].as_str().unwrap(),
                one["participant"].as_str(),
                one["with"].as_str(),
                one["channel"].as_str(),
                one["subject"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("dm", Some("helper"), Some("ann"), None, ""),
        ("dm", Some("bob"), Some("ann"), None, "build"),
        ("channel", None, None, Some("team"), ""),
    ];
    assert_eq!(told, expected);
    let second = &list["conversations"][1];
    assert_eq!((&second["message_count"], &second["unread"]), (&json!(1), &json!(1)));
    assert_eq!(
        second["last_message"],
        json!({ "id": build.id, "from": "ann", "preview": "it fails", "created_at": build.created_at })
    );
    assert!(list["conversations"][2]["last_message"].is_null());
    assert_eq!(test.look(&bob, "/api/conversations?limit=1&offset=1").await["conversations"], json!([second]));

    let path = format!("/api/conversations/{}", build.conversation_id);
    let one = test.look(&bob, &path).await;
    assert_eq!(
        (&one["id"], &one["subject"], &one["messages"][0]["id"]),
        (&second["id"], &json!("build"), &json!(build.id))
    );
    assert_eq!((more(&one), unoffered(&test, "bob").await), ((false, false), 0));
    assert_eq!(ids(&test.look(&bob, &format!("{path}?before={}&limit=5", build.id)).await), Vec::<i64>::new());
    let eve: Person = test.person("eve").await;
    for path in [path.as_str(), "/api/conversations/4711"] {
        problem(test.request_as(&eve, Method::GET, path).send().await.unwrap(), 404, "not_found").await;
    }
    assert_eq!(test.look(&eve, "/api/conversations").await, json!({ "conversations": [], "total": 0 }));
    test.stop().await;
}

#[both_engines]
async fn a_reader_who_goes_on_after_the_last_message_misses_none(test: TestServer) {
    let ann = test.person("ann").await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team" })).await;
    let caller = test.caller(&ann).await;
    let senders: Vec<_> = (0..SENDERS)
        .map(|_| {
            let (hub, caller) = (test.hub.clone(), caller.clone());
            tokio::spawn(async move {
                let mut sent = Vec::new();
                for _ in 0..EACH {
                    sent.push(hub.messages().send(&caller, NewMessage::in_channel("team", "hello")).await.unwrap().id);
                }
                sent
            })
        })
        .collect();
    // A message that it has passed would never come, and the reader would wait in vain.
    let seen = soon("the reader has seen all messages", async {
        let mut seen: Vec<MessageId> = Vec::new();
        while seen.len() < SENDERS * EACH {
            let after = seen.last().copied().unwrap_or(MessageId(0));
            let filter = TimelineFilter { after: Some(after), limit: Some(7), ..Default::default() };
            let page = test.hub.messages().channel_timeline(&caller, "team", filter).await.unwrap();
            seen.extend(page.messages.iter().map(|message| message.id));
        }
        seen
    })
    .await;
    let mut sent = Vec::new();
    for sender in senders {
        sent.extend(sender.await.unwrap());
    }
    sent.sort();
    assert_eq!(seen, sent);
    test.stop().await;
}
