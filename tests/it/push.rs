//! Push messages: who is told of what, what a notification says, and when nobody is told.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::governance::RunOutcome;
use svc_core::harness::RunFailure;
use svc_test_macros::both_engines;

use crate::support::goals::node;
use crate::support::people::Person;
use crate::support::push::Browser;
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::{TestServer, faults, problem};
use crate::support::wait::until;

/// The notifications that were put into the queue, sent or not.
const QUEUED: &str = "SELECT count(*) FROM queue_items WHERE queue = 'push'";

/// The next notification of a browser, which gets new keys first.
struct Phone {
    receiver: Receiver,
    browser: Browser,
}

impl Phone {
    async fn of(test: &TestServer, who: &Person) -> Self {
        let receiver = Receiver::start().await;
        receiver.always(Reply::Status(201, ""));
        let browser = test.browser(who, &receiver.url).await;
        Self { receiver, browser }
    }

    async fn next(&mut self, test: &TestServer, who: &Person) -> Value {
        let received = self.receiver.next().await;
        let shown = self.browser.read(&received);
        self.browser = test.browser(who, &self.receiver.url).await;
        shown
    }
}

#[both_engines]
async fn a_direct_message_reaches_the_phone_of_its_recipient_alone(test: TestServer) {
    let (ann, bob, carl) = (test.person("ann").await, test.person("bob").await, test.person("carl").await);
    let key = test.look(&ann, "/api/push/vapid-key").await["public_key"].clone();
    assert_eq!(key.as_str().unwrap().len(), 87);
    assert_eq!(test.look(&bob, "/api/push/vapid-key").await["public_key"], key);
    let mut phone = Phone::of(&test, &ann).await;
    let mut other = Phone::of(&test, &carl).await;
    let sent = test.say(&bob, json!({ "to": "ann", "body": "The build\n\nis **green**." })).await;
    let received = phone.receiver.next().await;
    assert_eq!((received.header("ttl"), received.header("urgency")), ("86400", "high"));
    assert_eq!(received.header("topic").len(), 32);
    assert!(received.header("authorization").ends_with(&format!(", k={}", key.as_str().unwrap())));
    let shown = phone.browser.read(&received);
    assert_eq!((&shown["title"], &shown["body"]), (&json!("@bob"), &json!("The build is **green**.")));
    assert_eq!((&shown["tag"], &shown["url"]), (&json!("dm:bob"), &json!(format!("/dm/bob?m={}", sent["id"]))));
    let mark = json!({ "method": "POST", "path": "/api/notifications/mark-read",
                       "body": { "kind": "dm", "name": "bob", "last_message_id": sent["id"] } });
    assert_eq!(shown["actions"], json!([{ "action": "mark_read", "title": "Mark read", "request": mark }]));
    assert!(other.receiver.rest().is_empty());
    // The buttons are requests that the browser can make.
    test.did(&ann, Method::POST, "/api/notifications/mark-read", mark["body"].clone()).await;
    let unread = test.look(&ann, "/api/notifications/unread").await;
    let with_bob = unread.as_array().unwrap().iter().find(|entry| entry["name"] == "bob").unwrap().clone();
    assert_eq!((&with_bob["unread"], &with_bob["level"]), (&json!(0), &json!("all")));
    // It is written down after the push service has answered.
    let listed = until("the success is written down", async || {
        let listed = test.subscriptions(&ann).await;
        listed[0]["last_success_at"].is_string().then_some(listed)
    })
    .await;
    assert_eq!((&listed[0]["device"], &listed[0]["current"]), (&json!("Test browser"), &json!(true)));
    assert_eq!(listed[0]["failures"], json!(0));
    let metrics = test.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("\npush_deliveries_total{outcome=\"sent\"} 1\n"), "{metrics}");
    // Own messages, and messages to own agents, are not told.
    test.create_agent(&ann, "scout").await;
    test.say(&ann, json!({ "to": "bob", "body": "Thanks." })).await;
    test.say(&bob, json!({ "to": "scout", "body": "Look." })).await;
    test.work("push_reader").await;
    assert_eq!(test.number(QUEUED).await, 1);
}

#[both_engines]
async fn mentions_levels_and_mute_decide_about_channels(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&bob, "ops", true, &["ann"]).await;
    let mut phone = Phone::of(&test, &ann).await;
    let say = async |body: &str| test.say(&bob, json!({ "channel": "ops", "body": body })).await;
    // By default a channel tells of mentions.
    say("Nobody in particular.").await;
    let sent = say("@ann, look at this.").await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["tag"]), (&json!("@bob mentioned you in #ops"), &json!("channel:ops")));
    assert_eq!(shown["url"], format!("/c/ops?m={}", sent["id"]));
    assert_eq!(shown["actions"][0]["request"]["body"]["name"], "ops");
    assert_eq!(test.number(QUEUED).await, 1);
    // With `all` it tells of each message once, with a mention or not.
    let level = |level: &str| json!({ "conversations": [{ "kind": "channel", "name": "ops", "level": level }] });
    let settings = test.attend(&ann, level("all")).await;
    assert_eq!(settings["conversations"], level("all")["conversations"]);
    say("To all.").await;
    assert_eq!(phone.next(&test, &ann).await["title"], "@bob in #ops");
    say("To @ann.").await;
    assert_eq!(phone.next(&test, &ann).await["title"], "@bob mentioned you in #ops");
    assert_eq!(test.number(QUEUED).await, 3);
    // A muted channel tells of nothing; its counts stay true, and the level is beside them.
    let mut stream = test.stream(&ann).await;
    test.attend(&ann, level("nothing")).await;
    stream.next_of("notification_settings_changed").await;
    say("@ann, are you there?").await;
    test.work("push_reader").await;
    assert_eq!(test.number(QUEUED).await, 3);
    let unread = test.look(&ann, "/api/notifications/unread").await;
    let ops = unread.as_array().unwrap().iter().find(|entry| entry["name"] == "ops").unwrap().clone();
    assert_eq!((&ops["unread"], &ops["mentions"], &ops["level"]), (&json!(5), &json!(3), &json!("nothing")));
    // The default removes the entry.
    assert_eq!(test.attend(&ann, level("mentions")).await["conversations"], json!([]));
    // Direct messages have a level too.
    let dm = |level: &str| json!({ "conversations": [{ "kind": "dm", "name": "bob", "level": level }] });
    for quiet in ["nothing", "mentions"] {
        test.attend(&ann, dm(quiet)).await;
        test.say(&bob, json!({ "to": "ann", "body": "Psst." })).await;
        test.work("push_reader").await;
        assert_eq!(test.number(QUEUED).await, 3, "{quiet}");
    }
}

#[both_engines]
async fn kinds_quiet_hours_presence_and_reading_keep_the_phone_silent(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut phone = Phone::of(&test, &ann).await;
    let say = async |body: &str| test.say(&bob, json!({ "to": "ann", "body": body })).await;
    let silent = async |why: &str| {
        say(why).await;
        test.work("push_reader").await;
        assert_eq!(test.number(QUEUED).await, 0, "{why}");
    };
    test.attend(&ann, json!({ "kinds": { "direct_message": false } })).await;
    silent("the kind is off").await;
    let settings = test.attend(&ann, json!({ "kinds": { "direct_message": true } })).await;
    assert_eq!((&settings["kinds"]["direct_message"], &settings["kinds"]["mention"]), (&json!(true), &json!(true)));
    // It is midnight in London, and nine in the morning in Tokyo.
    let hours = |zone: &str| json!({ "quiet_hours": { "start": "22:30", "end": "07:00", "time_zone": zone } });
    let settings = test.attend(&ann, hours("Europe/London")).await;
    assert_eq!(settings["quiet_hours"]["time_zone"], "Europe/London");
    silent("quiet hours").await;
    test.attend(&ann, hours("Asia/Tokyo")).await;
    // A page that is visible keeps the phone silent for 45 seconds.
    let presence = async |body: Value| test.did(&ann, Method::PUT, "/api/presence", body).await;
    presence(json!({ "visible": true, "page": "tab-1" })).await;
    presence(json!({ "visible": true, "page": "tab_2" })).await;
    silent("a page is visible").await;
    presence(json!({ "visible": false, "page": "tab-1" })).await;
    silent("another page is visible").await;
    test.clock.advance(Duration::from_secs(44));
    silent("it was visible 44 seconds ago").await;
    test.clock.advance(Duration::from_secs(1));
    say("Now.").await;
    assert_eq!(phone.next(&test, &ann).await["body"], "Now.");
    presence(json!({})).await;
    presence(json!({ "visible": false })).await;
    // Pages repeat this by themselves, so it leaves no trace.
    test.did(&ann, Method::POST, "/api/push/test", json!({})).await;
    phone.next(&test, &ann).await;
    let traces = async |action: &str| test.look(&ann, &format!("/api/traces?action={action}")).await["traces"].clone();
    until("the trace of the test", async || Some(traces("send_test_push").await).filter(|all| all[0].is_object()))
        .await;
    assert_eq!(traces("set_presence").await, json!([]));
    // A message that is read before it could be sent is not sent.
    phone.receiver.then([Reply::Status(503, "")]);
    say("Read elsewhere.").await;
    phone.receiver.next().await;
    test.mark_read(&ann, "dm", "bob", None).await;
    test.clock.advance(Duration::from_secs(10));
    say("Unread.").await;
    let received = phone.receiver.next().await;
    assert_eq!(phone.browser.read(&received)["body"], "Unread.");
    assert!(phone.receiver.rest().is_empty());
}

#[both_engines]
async fn decisions_come_with_buttons_that_make_them(test: TestServer) {
    let ann = test.person("ann").await;
    let mut phone = Phone::of(&test, &ann).await;
    let lead = test.reactive(&ann, "lead").await;
    let press = async |shown: &Value, action: &str| {
        let actions = shown["actions"].as_array().unwrap();
        let request = &actions.iter().find(|button| button["action"] == action).unwrap()["request"];
        let method: Method = request["method"].as_str().unwrap().parse().unwrap();
        let sent = test.request_as(&ann, method, request["path"].as_str().unwrap());
        let sent = if request["body"].is_null() { sent } else { sent.json(&request["body"]) };
        sent.header("idempotency-key", "press-1").send().await.unwrap()
    };
    // A task, and a second press of the same button.
    let goal = test.goal(&ann, "Ship", json!({ "coordinator": "lead" })).await;
    let tree = json!({ "goal_id": goal, "tree": [{ "title": "Build", "verifier": { "kind": "human" } }] });
    test.tool(&lead, "propose_task_tree", tree).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["url"]), (&json!("Your approval is needed"), &json!(format!("/goals/{goal}"))));
    assert!(shown["tag"].as_str().unwrap().starts_with("approval:"), "{shown}");
    assert_eq!(press(&shown, "approve").await.status(), 200);
    assert_eq!(test.goal_task(&ann, &goal, "Build").await["status"], "approved");
    assert_eq!(press(&shown, "approve").await.status(), 409, "it is decided");
    // Two tasks have one button. Repeating the press is harmless; another device is told that it is decided.
    let second = test.goal(&ann, "Tell", json!({ "coordinator": "lead" })).await;
    let tree = json!({ "goal_id": second, "tree": [node("Draft"), node("Publish")] });
    test.tool(&lead, "propose_task_tree", tree).await;
    let both = phone.next(&test, &ann).await;
    for _ in 0..2 {
        assert_eq!(press(&both, "approve").await.status(), 200);
    }
    assert_eq!(test.goal_task(&ann, &second, "Publish").await["status"], "approved");
    let again = test.ask(&ann, Method::POST, &format!("/api/goals/{second}/approve"), json!({})).await;
    problem(again, 409, "nothing_to_approve").await;
    // The result of the task.
    test.do_task(&lead, &ann, &goal, "Build").await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!(press(&shown, "approve").await.status(), 200);
    assert_eq!(test.goal_task(&ann, &goal, "Build").await["status"], "done");
    // An agent that an agent proposes.
    let proposal = json!({ "goal_id": goal, "name": "reader", "purpose": "Reads", "instructions": "Read." });
    test.tool(&lead, "propose_agent", proposal).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!(press(&shown, "reject").await.status(), 200);
    assert_eq!(test.look(&ann, &format!("/api/goals/{goal}")).await["proposals"][0]["status"], "rejected");
    // A secret.
    test.tool(&lead, "request_secret", json!({ "name": "TOKEN", "reason": "To deploy" })).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["url"], shown["actions"].as_array().unwrap().len()), (&json!("/"), 1));
    assert_eq!(press(&shown, "reject").await.status(), 200);
    // A message that waits in a workflow channel. Pressing twice approves once.
    test.open_room(&ann, "drafts", true, &["lead"]).await;
    test.run_workflow(&ann, "drafts").await;
    let draft = test.say_with(&lead, json!({ "channel": "drafts", "body": "Announce it?" })).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["body"]), (&json!("@lead proposes in #drafts"), &json!("Announce it?")));
    for _ in 0..2 {
        assert_eq!(press(&shown, "approve").await.status(), 200);
    }
    let draft = test.look(&ann, &format!("/api/messages/{}", draft["id"])).await;
    assert_eq!(draft["workflow_state"], "approved", "{draft}");
}

#[both_engines]
async fn troubles_of_agents_reach_their_owner(test: TestServer) {
    let (ann, key) = test.lasting("ann").await;
    let mut phone = Phone::of(&test, &ann).await;
    // Other messages of the hub are not the subject here.
    test.attend(&ann, json!({ "kinds": { "direct_message": false } })).await;
    test.reactive(&ann, "scout").await;
    test.change_agent(&key, "scout", json!({ "budget": { "usd": 10, "period": "month" } })).await;
    test.harness.fails(RunFailure::ExitCode, "boom");
    test.say(&ann, json!({ "to": "scout", "body": "Go." })).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["url"]), (&json!("A run failed"), &json!("/runs/1")));
    test.create_agent(&ann, "miser").await;
    let settings = json!({ "budget": { "usd": 10, "period": "month" }, "daily_run_budget": 100,
                           "harness": { "command": "agent", "estimate": { "usd": 0.1 } } });
    test.change_agent(&key, "miser", settings).await;
    test.begin_run("miser", 1001).await;
    test.end_run(1001, 8.5, RunOutcome::Succeeded).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["url"]), (&json!("Budget alert"), &json!("/agents/miser")));
    test.create_agent(&ann, "clumsy").await;
    for run in 2001..=2003 {
        test.ran("clumsy", run, RunOutcome::Failed).await;
    }
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["url"]), (&json!("An agent was quarantined"), &json!("/agents/clumsy")));
    // A webhook whose endpoint is gone.
    test.create_agent(&ann, "hooked").await;
    let hook = Receiver::start().await;
    hook.always(Reply::Status(410, ""));
    test.hook(&ann, "hooked", &hook.url, &["message.received"]).await;
    test.say(&ann, json!({ "to": "hooked", "body": "Hello." })).await;
    let shown = phone.next(&test, &ann).await;
    assert_eq!((&shown["title"], &shown["url"]), (&json!("A webhook was disabled"), &json!("/agents/hooked")));
    // Each kind can be turned off.
    test.attend(&ann, json!({ "kinds": { "quarantine": false, "budget": false, "failed_run": false } })).await;
    test.create_agent(&ann, "worse").await;
    let before = test.number(QUEUED).await;
    for run in 3001..=3003 {
        test.ran("worse", run, RunOutcome::Failed).await;
    }
    test.work("push_reader").await;
    assert_eq!(test.number(QUEUED).await, before);
}

#[both_engines]
async fn settings_are_checked_field_by_field_and_belong_to_humans(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "scout").await;
    test.open_room(&bob, "secret", false, &[]).await;
    let path = "/api/notifications/settings";
    let settings = test.look(&ann, path).await;
    assert_eq!((&settings["quiet_hours"], &settings["conversations"]), (&Value::Null, &json!([])));
    assert_eq!(settings["kinds"].as_object().unwrap().len(), 8);
    for (change, fields) in [
        (json!({ "kinds": { "gossip": true } }), vec!["kinds.gossip"]),
        (json!({ "quiet_hours": { "start": "22:00" } }), vec!["quiet_hours.end", "quiet_hours.time_zone"]),
        (
            json!({ "quiet_hours": { "start": "25:00", "end": "7:00", "time_zone": "Mars/Olympus" } }),
            vec!["quiet_hours.start", "quiet_hours.end", "quiet_hours.time_zone"],
        ),
        (
            json!({ "conversations": [{ "kind": "channel", "name": "general", "level": "all" },
                                      { "kind": "channel", "name": "secret", "level": "all" }] }),
            vec!["conversations[1].name"],
        ),
        (
            json!({ "conversations": [{ "kind": "dm", "name": "nobody", "level": "all" }] }),
            vec!["conversations[0].name"],
        ),
        (
            json!({ "conversations": [{ "kind": "dm", "name": "bob", "level": "loud" }] }),
            vec!["conversations[0].level"],
        ),
        (json!({ "volume": 11 }), vec!["volume"]),
    ] {
        let refused = problem(test.ask(&ann, Method::PUT, path, change.clone()).await, 400, "validation_failed").await;
        assert_eq!(faults(&refused), fields, "{change}");
    }
    // Nothing of a change that is refused stays.
    assert_eq!(test.look(&ann, path).await, settings);
    let many: Vec<_> = (0..101).map(|_| json!({ "kind": "dm", "name": "bob", "level": "all" })).collect();
    let refused = test.ask(&ann, Method::PUT, path, json!({ "conversations": many })).await;
    assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["conversations"]);
    let quiet = json!({ "quiet_hours": { "start": "22:00", "end": "07:00", "time_zone": "UTC" } });
    test.attend(&ann, quiet).await;
    assert_eq!(test.attend(&ann, json!({ "quiet_hours": null })).await["quiet_hours"], Value::Null);
    for method in [Method::GET, Method::PUT] {
        let asked = test.request_with(&key, method, path).json(&json!({})).send().await.unwrap();
        problem(asked, 403, "human_required").await;
    }
    let refused = test.ask(&ann, Method::PUT, "/api/presence", json!({ "page": "a b" })).await;
    assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["page"]);
    let asked = test.request_with(&key, Method::PUT, "/api/presence").json(&json!({})).send().await.unwrap();
    problem(asked, 403, "session_required").await;
}
