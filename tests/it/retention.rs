//! Message retention: what is old goes, unless somebody has yet to deal with it.

use std::time::Duration;

use svc_core::messages::{ClaimRequest, Finish, Message, NewMessage, Prune};
use svc_core::users::{NewUser, Role};
use svc_core::{Caller, Hub, Page};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::store::work;

const DAY: Duration = Duration::from_hours(24);

async fn user(hub: &Hub, username: &str) -> Caller {
    let new = NewUser {
        username: username.parse().unwrap(),
        display_name: None,
        role: Role::User,
        password: Some(svc_core::auth::Password::parse("password", "correct horse battery").unwrap()),
    };
    hub.users().create(&Caller::root(), new).await.unwrap();
    let key = svc_core::agents::NewAgent {
        name: format!("{username}-bot").parse().unwrap(),
        owner: Some(username.parse().unwrap()),
        settings: svc_core::agents::AgentSettings::default(),
    };
    let created = hub.agents().create(&Caller::root(), key).await.unwrap();
    hub.auth().bearer(&created.key).await.unwrap()
}

async fn say(hub: &Hub, from: &Caller, new: NewMessage) -> Message {
    hub.messages().send(from, new).await.unwrap()
}

async fn exists(hub: &Hub, message: &Message) -> bool {
    hub.messages().get(&Caller::root(), message.id).await.is_ok()
}

/// What somebody has yet to read, by the count that lists show.
async fn unread(test: &TestHub) -> i64 {
    test.number(
        "SELECT v.message_count - rc.position - rc.own_after FROM read_cursors rc
           JOIN conversations v ON v.id = rc.conversation_id
           JOIN participants p ON p.id = rc.participant_id
          WHERE p.handle = 'bob-bot' AND v.channel_id IS NOT NULL",
    )
    .await
}

#[both_engines]
async fn what_is_old_goes_unless_it_waits_for_somebody(test: TestHub) {
    let mut config = test.config.clone();
    config.message_retention = Some(30 * DAY);
    let hub = Hub::builder(config).clock(test.clock.clone()).open().await.unwrap();
    let (ann, bob) = (user(&hub, "ann").await, user(&hub, "bob").await);
    say(&hub, &bob, NewMessage::in_channel("general", "here I am")).await;
    let channel = say(&hub, &ann, NewMessage::in_channel("general", "old news")).await;
    let done = say(&hub, &ann, NewMessage::to("bob-bot", "done")).await;
    let failed = say(&hub, &ann, NewMessage::to("bob-bot", "failed")).await;
    let held = say(&hub, &ann, NewMessage { priority: Some(9), ..NewMessage::to("bob-bot", "held") }).await;
    let waiting = say(&hub, &ann, NewMessage::to("bob-bot", "waiting")).await;
    hub.messages().finish(&bob, done.id, Finish::done(None)).await.unwrap();
    hub.messages().finish(&bob, failed.id, Finish::failed(None, None)).await.unwrap();
    test.clock.advance(30 * DAY);
    hub.messages().claim(&bob, ClaimRequest { limit: None, lease_seconds: Some(86_400) }).await.unwrap();
    let reply = say(&hub, &ann, NewMessage::in_channel("general", "new news").replying_to(channel.id)).await;
    assert_eq!(reply.reply_to, Some(channel.id));
    assert_eq!(unread(&test).await, 2);

    work(&hub, "message_retention").await;
    assert!(exists(&hub, &channel).await, "it is not older than that");
    test.clock.advance(Duration::from_secs(1));
    work(&hub, "message_retention").await;
    for (message, stays) in
        [(&channel, false), (&done, false), (&failed, false), (&held, true), (&waiting, true), (&reply, true)]
    {
        assert_eq!(exists(&hub, message).await, stays, "{}", message.body);
    }
    let orphan = hub.messages().get(&Caller::root(), reply.id).await.unwrap();
    assert_eq!(orphan.reply_to, None);
    let thread = hub.messages().thread(&Caller::root(), reply.id, Page::default()).await.unwrap();
    assert_eq!((thread.root, thread.replies.len()), (None, 1), "the thread outlives its beginning");
    assert_eq!(unread(&test).await, 1, "what is gone is not unread");
    assert_eq!(test.number("SELECT count(*) FROM dead_letters").await, 0, "it went with its message");
    let next = say(&hub, &ann, NewMessage::in_channel("general", "more")).await;
    assert!(next.id > reply.id);
    assert_eq!(unread(&test).await, 2);
    // What was kept goes when it has been dealt with.
    hub.messages().finish(&bob, waiting.id, Finish::done(None)).await.unwrap();
    work(&hub, "message_retention").await;
    assert!(!exists(&hub, &waiting).await);
    hub.close().await;
}

#[both_engines]
async fn many_go_in_steps_past_those_that_stay(test: TestHub) {
    let (ann, bob) = (user(&test.hub, "ann").await, user(&test.hub, "bob").await);
    let mut last = None;
    for number in 0..1100 {
        let new = if number % 2 == 0 { NewMessage::to("bob-bot", "x") } else { NewMessage::in_channel("general", "x") };
        last = Some(say(&test.hub, &ann, new).await);
    }
    test.clock.advance(DAY);
    let young = say(&test.hub, &bob, NewMessage::in_channel("general", "young")).await;
    let counted = test.hub.messages().prune(&Caller::root(), DAY / 2, Prune::Count).await.unwrap();
    assert_eq!((counted.removed, counted.kept), (550, 550));
    assert!(exists(&test.hub, &last.unwrap()).await);
    let removed = test.hub.messages().prune(&Caller::root(), DAY / 2, Prune::Remove).await.unwrap();
    assert_eq!((removed.removed, removed.kept), (550, 550));
    assert_eq!(test.number("SELECT count(*) FROM messages").await, 551);
    assert!(exists(&test.hub, &young).await);
    assert_eq!(test.hub.messages().prune(&ann, DAY, Prune::Remove).await.unwrap_err().code(), "admin_socket_only");
}

#[both_engines]
async fn nothing_goes_unless_it_is_asked_for(test: TestHub) {
    assert!(!test.hub.workers().iter().any(|worker| worker.name() == "message_retention"));
    let ann = user(&test.hub, "ann").await;
    let old = say(&test.hub, &ann, NewMessage::in_channel("general", "old")).await;
    test.clock.advance(3650 * DAY);
    for worker in test.hub.workers() {
        worker.run_once().await.unwrap();
    }
    assert!(exists(&test.hub, &old).await);
}
