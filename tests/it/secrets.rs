//! Secrets: sealed in the store, opened for a run, and nobody else's business.

use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::auth::{Password, Surface, Visit};
use svc_core::db::Engine;
use svc_core::ids::AgentId;
use svc_core::secrets::{Secret, SecretFilter, SecretKey, SecretScope, SecretValue};
use svc_core::users::{NewUser, Role};
use svc_core::webhooks::{NewWebhook, WebhookEvent};
use svc_core::{Caller, Hub, Page, Result, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

const PASSWORD: &str = "correct horse battery";

/// A new account, logged in.
async fn person(hub: &Hub, name: &str) -> Caller {
    let new = NewUser {
        username: name.parse().unwrap(),
        display_name: None,
        role: Role::User,
        password: Some(Password::parse("password", PASSWORD).unwrap()),
    };
    hub.users().create(&Caller::root(), new).await.unwrap();
    let visit = Visit::through(Surface::Rest);
    let login = hub.sessions().login(name, PASSWORD, &visit).await.unwrap();
    hub.auth().session(login.token.reveal()).await.unwrap()
}

async fn agent(hub: &Hub, owner: &Caller, name: &str) -> AgentId {
    let new = NewAgent { name: name.parse().unwrap(), owner: None, settings: AgentSettings::default() };
    hub.agents().create(owner, new).await.unwrap().agent.id
}

fn scope(text: &str) -> SecretScope {
    text.parse().unwrap()
}

async fn set(hub: &Hub, caller: &Caller, of: &str, name: &str, value: &str) -> Result<Secret> {
    let value = SecretValue::parse("value", value.to_owned())?;
    hub.secrets().set(caller, scope(of), name.parse()?, value).await
}

async fn unset(hub: &Hub, caller: &Caller, of: &str, name: &str) -> Result<()> {
    hub.secrets().unset(caller, scope(of), name.parse()?).await
}

/// `scope name` of every secret that the caller sees.
async fn listed(hub: &Hub, caller: &Caller) -> Vec<String> {
    let page = hub.secrets().list(caller, SecretFilter::default()).await.unwrap();
    assert_eq!(usize::try_from(page.total).unwrap(), page.secrets.len());
    page.secrets.iter().map(|secret| format!("{} {}", secret.scope, secret.name)).collect()
}

/// `NAME=value` of everything that a run would receive.
async fn received(hub: &Hub, agent: AgentId) -> Vec<String> {
    let opened = hub.secrets().for_run(agent).await.unwrap();
    opened.iter().map(|(name, value)| format!("{name}={}", value.reveal())).collect()
}

/// The same store under another key.
async fn under_another_key(test: &TestHub, byte: u8) -> Hub {
    let mut config = test.config.clone();
    config.secret_key = Some(SecretKey::from_bytes([byte; 32]));
    Hub::open(config).await.unwrap()
}

#[both_engines]
async fn an_agents_own_secret_wins_over_its_owners(test: TestHub) {
    let hub = &test.hub;
    let ann = person(hub, "ann").await;
    let (bot, other) = (agent(hub, &ann, "bot").await, agent(hub, &ann, "other").await);
    set(hub, &ann, "user:ann", "TOKEN", "of ann").await.unwrap();
    set(hub, &ann, "user:ann", "SHARED", "two\nlines").await.unwrap();
    set(hub, &ann, "agent:bot", "TOKEN", "of bot").await.unwrap();
    assert_eq!(received(hub, bot).await, ["SHARED=two\nlines", "TOKEN=of bot"]);
    assert_eq!(received(hub, other).await, ["SHARED=two\nlines", "TOKEN=of ann"]);
    unset(hub, &ann, "agent:bot", "TOKEN").await.unwrap();
    assert_eq!(received(hub, bot).await, ["SHARED=two\nlines", "TOKEN=of ann"]);
    assert_eq!(hub.secrets().for_run(AgentId(4711)).await.unwrap_err().code(), "not_found");
}

#[both_engines]
async fn setting_again_replaces_the_value(test: TestHub) {
    let hub = &test.hub;
    let ann = person(hub, "ann").await;
    let bot = agent(hub, &ann, "bot").await;
    let first = set(hub, &ann, "user:ann", "TOKEN", "old").await.unwrap();
    test.clock.advance(std::time::Duration::from_secs(5));
    let second = set(hub, &ann, "user:ANN", "TOKEN", "new").await.unwrap();
    assert_eq!(
        (second.id, second.created_at, second.scope.to_string()),
        (first.id, first.created_at, "user:ann".into())
    );
    assert!(second.updated_at > first.updated_at);
    assert_eq!(received(hub, bot).await, ["TOKEN=new"]);
    assert_eq!(listed(hub, &ann).await, ["user:ann TOKEN"]);
    unset(hub, &ann, "user:ann", "TOKEN").await.unwrap();
    assert_eq!(unset(hub, &ann, "user:ann", "TOKEN").await.unwrap_err().code(), "not_found");
}

#[both_engines]
async fn a_value_cannot_be_read_in_the_store_nor_moved_in_it(test: TestHub) {
    let hub = &test.hub;
    let ann = person(hub, "ann").await;
    let bot = agent(hub, &ann, "bot").await;
    set(hub, &ann, "user:ann", "TOKEN", "hunter2hunter2").await.unwrap();
    set(hub, &ann, "user:ann", "EMPTYISH", "hunter2hunter2").await.unwrap();
    let columns: Vec<(Vec<u8>,)> = hub
        .db()
        .read((), |tx, ()| {
            Box::pin(async move {
                let mut columns = tx.query("SELECT sealed FROM secrets").fetch_all().await?;
                columns.extend(tx.query("SELECT sealed FROM sealing_key").fetch_all::<(Vec<u8>,)>().await?);
                Ok(columns)
            })
        })
        .await
        .unwrap();
    assert_eq!(columns.len(), 3);
    assert!(columns.iter().all(|(column,)| !column.windows(7).any(|window| window == b"hunter2")));
    assert_ne!(columns[0], columns[1], "the same value looks different each time");
    // What is sealed for one name does not open under another.
    let moved = "UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE name = 'TOKEN') WHERE name = 'EMPTYISH'";
    test.execute(moved).await;
    assert_eq!(hub.secrets().for_run(bot).await.unwrap_err().code(), "secret_key_mismatch");
    let audited = test.number("SELECT count(*) FROM audit_log WHERE event = 'secret_changed'").await;
    assert_eq!(audited, 2);
    let leaked = match hub.db().engine() {
        Engine::Sqlite => "SELECT count(*) FROM audit_log WHERE details LIKE '%hunter2%'",
        Engine::Postgres => "SELECT count(*) FROM audit_log WHERE details::text LIKE '%hunter2%'",
    };
    assert_eq!(test.number(leaked).await, 0);
}

#[both_engines]
async fn another_key_is_refused_while_a_secret_is_left(test: TestHub) {
    let ann = person(&test.hub, "ann").await;
    let bot = agent(&test.hub, &ann, "bot").await;
    set(&test.hub, &ann, "user:ann", "TOKEN", "old").await.unwrap();
    let other = under_another_key(&test, 7).await;
    let refused = set(&other, &ann, "user:ann", "OTHER", "new").await.unwrap_err();
    assert_eq!(refused.code(), "secret_key_mismatch");
    assert!(refused.message().contains("SVC_SECRET_KEY"), "{refused}");
    assert_eq!(other.secrets().for_run(bot).await.unwrap_err().code(), "secret_key_mismatch");
    // What is there is not harmed, and can be seen and removed without the key.
    assert_eq!(received(&test.hub, bot).await, ["TOKEN=old"]);
    assert_eq!(listed(&other, &ann).await, ["user:ann TOKEN"]);
    // The secrets of webhooks are sealed with the same key.
    let url = "https://1.1.1.1/hook".into();
    let new = NewWebhook { agent: Some("bot".into()), url, events: vec![WebhookEvent::All], secret: None };
    let hook = test.hub.webhooks().create(&Caller::root(), new).await.unwrap().webhook;
    unset(&other, &ann, "user:ann", "TOKEN").await.unwrap();
    let refused = set(&other, &ann, "user:ann", "OTHER", "new").await.unwrap_err();
    assert_eq!(refused.code(), "secret_key_mismatch");
    test.hub.webhooks().delete(&Caller::root(), hook.id).await.unwrap();
    set(&other, &ann, "user:ann", "OTHER", "new").await.unwrap();
    assert_eq!(received(&other, bot).await, ["OTHER=new"]);
    // Now the first key is the other one.
    assert_eq!(set(&test.hub, &ann, "user:ann", "TOKEN", "x").await.unwrap_err().code(), "secret_key_mismatch");
    other.close().await;
}

#[both_engines]
async fn two_keys_at_once_do_not_mix(test: TestHub) {
    let ann = person(&test.hub, "ann").await;
    let other = under_another_key(&test, 7).await;
    let (one, two) =
        tokio::join!(set(&test.hub, &ann, "user:ann", "ONE", "1"), set(&other, &ann, "user:ann", "TWO", "2"),);
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1, "{one:?} {two:?}");
    assert_eq!(listed(&test.hub, &ann).await.len(), 1);
    other.close().await;
}

#[both_engines]
async fn what_belongs_to_somebody_else_does_not_exist(test: TestHub) {
    let hub = &test.hub;
    let (ann, bob, root) = (person(hub, "ann").await, person(hub, "bob").await, Caller::root());
    let new = NewAgent { name: "bot".parse().unwrap(), owner: None, settings: AgentSettings::default() };
    let bot = hub.agents().create(&ann, new).await.unwrap();
    set(hub, &root, "user:ann", "TOKEN", "x").await.unwrap();
    set(hub, &root, "agent:bot", "TOKEN", "x").await.unwrap();
    for of in ["user:ann", "agent:bot", "user:nobody", "agent:nobody", "user:bot", "agent:ann"] {
        assert_eq!(set(hub, &bob, of, "TOKEN", "y").await.unwrap_err().code(), "not_found", "{of}");
        assert_eq!(unset(hub, &bob, of, "TOKEN").await.unwrap_err().code(), "not_found", "{of}");
        let filter = SecretFilter { scope: Some(scope(of)), page: Page::default() };
        assert_eq!(hub.secrets().list(&bob, filter).await.unwrap_err().code(), "not_found", "{of}");
    }
    assert!(listed(hub, &bob).await.is_empty());
    assert_eq!(listed(hub, &ann).await, ["user:ann TOKEN", "agent:bot TOKEN"]);
    set(hub, &bob, "user:bob", "OWN", "z").await.unwrap();
    assert_eq!(listed(hub, &root).await, ["user:ann TOKEN", "user:bob OWN", "agent:bot TOKEN"]);
    // An agent does not manage its own.
    let itself = hub.auth().bearer(&bot.key).await.unwrap();
    assert_eq!(set(hub, &itself, "agent:bot", "TOKEN", "y").await.unwrap_err().code(), "owner_required");
    assert!(hub.secrets().list(&itself, SecretFilter::default()).await.is_err());
}

#[both_engines]
async fn secrets_end_with_their_owner(test: TestHub) {
    let hub = &test.hub;
    let (ann, root) = (person(hub, "ann").await, Caller::root());
    for name in ["bot", "other"] {
        let id = agent(hub, &ann, name).await;
        set(hub, &ann, &format!("agent:{name}"), "TOKEN", "x").await.unwrap();
        assert_eq!(received(hub, id).await.len(), 1);
    }
    set(hub, &ann, "user:ann", "TOKEN", "x").await.unwrap();
    hub.agents().delete(&ann, "bot").await.unwrap();
    assert_eq!(listed(hub, &root).await, ["user:ann TOKEN", "agent:other TOKEN"]);
    assert_eq!(set(hub, &root, "agent:bot", "TOKEN", "x").await.unwrap_err().code(), "not_found");
    hub.users().delete(&root, "ann").await.unwrap();
    assert!(listed(hub, &root).await.is_empty());
    assert_eq!(set(hub, &root, "user:ann", "TOKEN", "x").await.unwrap_err().code(), "not_found");
}

#[both_engines]
async fn a_secret_that_is_set_while_its_agent_is_deleted_is_not_left_behind(test: TestHub) {
    let hub = &test.hub;
    let ann = person(hub, "ann").await;
    for round in 0..8 {
        let name = format!("bot-{round}");
        agent(hub, &ann, &name).await;
        let of = format!("agent:{name}");
        let (_, deleted) = tokio::join!(set(hub, &ann, &of, "TOKEN", "x"), hub.agents().delete(&ann, &name));
        deleted.unwrap();
        assert_eq!(test.number("SELECT count(*) FROM secrets").await, 0);
    }
}

#[both_engines]
async fn values_and_names_have_limits(test: TestHub) {
    let hub = &test.hub;
    let ann = person(hub, "ann").await;
    let largest = "x".repeat(limits::SECRET_VALUE_MAX);
    set(hub, &ann, "user:ann", "LARGEST", &largest).await.unwrap();
    for bad in ["", "a\0b", &format!("{largest}x")] {
        assert_eq!(set(hub, &ann, "user:ann", "TOKEN", bad).await.unwrap_err().fields()[0].field, "value");
    }
    for bad in ["", "token", "1TOKEN", "TO-KEN", "TO KEN", "TOKEN=", "TÖKEN", &"A".repeat(129)] {
        assert_eq!(set(hub, &ann, "user:ann", bad, "x").await.unwrap_err().code(), "validation_failed", "{bad}");
    }
    for good in ["_", "A", "_1", &"A".repeat(128)] {
        set(hub, &ann, "user:ann", good, "x").await.unwrap();
    }
    for number in listed(hub, &ann).await.len()..usize::try_from(limits::SECRETS_PER_SCOPE).unwrap() {
        set(hub, &ann, "user:ann", &format!("N{number}"), "x").await.unwrap();
    }
    assert_eq!(set(hub, &ann, "user:ann", "ONE_MORE", "x").await.unwrap_err().code(), "too_many_secrets");
    set(hub, &ann, "user:ann", "N50", "replacing one is fine").await.unwrap();
}

#[tokio::test]
async fn only_its_owner_can_read_the_key_file() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestHub::sqlite().await;
    let file = tokio::fs::metadata(test.config.data.join("secret.key")).await.unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}
