//! People who log in through the client crate: with a password, or in a browser with a code.

use std::time::Duration;

use serde_json::Value;
use svc_client::model::messages::NewMessage;
use svc_client::{Client, ClientError, DeviceTokens, EventConnection, EventsFrom};
use svc_core::limits;
use svc_core::users::Role;
use svc_test_macros::both_engines;

use crate::support::oauth_http::submit;
use crate::support::people::{PASSWORD, Person};
use crate::support::server::TestServer;
use crate::support::wait::soon;

impl TestServer {
    /// A program that a person waits for, without a login.
    pub(crate) fn terminal(&self) -> Client {
        Client::interactive(&self.url(""), "terminal/1").unwrap()
    }

    /// Makes an account and logs in to it with the client.
    pub(crate) async fn at_the_terminal(&self, username: &str) -> Client {
        self.create_user(username, Role::User).await;
        self.terminal().log_in(username, PASSWORD).await.unwrap().0
    }
}

/// The status of a refused request.
fn status(error: &ClientError) -> Option<u16> {
    match error {
        ClientError::Refused(problem) => Some(problem.status),
        _ => None,
    }
}

#[both_engines]
async fn a_person_logs_in_acts_and_logs_out_through_the_client(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let nobody = test.terminal();
    for (username, password) in [("ann", "wrong horse battery"), ("nobody", PASSWORD)] {
        let error = nobody.log_in(username, password).await.unwrap_err();
        assert_eq!((status(&error), error.code()), (Some(401), Some("invalid_credentials")));
    }
    let (ann, session) = nobody.log_in("ann", PASSWORD).await.unwrap();
    assert_eq!((session.user.username.as_str(), ann.whoami().await.unwrap().handle.as_str()), ("ann", "ann"));
    assert!(!format!("{session:?} {ann:?}").contains(&session.token));
    // A change needs the origin as well.
    let sent = ann.send(&NewMessage::in_channel("general", "Good morning."), Some("morning")).await.unwrap();
    assert_eq!(sent.from, "ann");
    let sessions: Value = ann.get(&["auth", "sessions"], &[]).await.unwrap();
    assert_eq!((&sessions["total"], &sessions["sessions"][0]["user_agent"]), (&1.into(), &"terminal/1".into()));

    let elsewhere = nobody.with_session(&session.token);
    assert_eq!(elsewhere.whoami().await.unwrap().handle, "ann");
    ann.log_out().await.unwrap();
    for client in [ann, elsewhere] {
        assert_eq!(status(&client.whoami().await.unwrap_err()), Some(401));
    }
}

#[tokio::test]
async fn a_session_works_where_a_proxy_adds_tls() {
    let test = TestServer::start(|config| config.base_url = Some("https://hub.example".parse().unwrap())).await;
    let ann = test.at_the_terminal("ann").await;
    assert_eq!(ann.send(&NewMessage::in_channel("general", "Hello."), None).await.unwrap().from, "ann");
    ann.log_out().await.unwrap();
    assert_eq!(status(&ann.whoami().await.unwrap_err()), Some(401));
}

async fn name_of_next(events: &mut EventConnection) -> Option<String> {
    soon("an event", events.next()).await.unwrap().map(|event| event.name)
}

#[both_engines]
async fn a_connection_of_events_ends_with_the_login_and_resumes_where_it_broke_off(test: TestServer) {
    let ann = test.at_the_terminal("ann").await;
    let mut events = ann.events_once(EventsFrom::Now).await.unwrap();
    let hello = soon("hello", events.next()).await.unwrap().unwrap();
    assert_eq!((hello.name.as_str(), &hello.data["you"]["handle"]), ("hello", &"ann".into()));
    drop(events);
    ann.send(&NewMessage::in_channel("general", "While you were away."), None).await.unwrap();

    let mut events = ann.events_once(EventsFrom::After(hello.seq.unwrap())).await.unwrap();
    assert_eq!(name_of_next(&mut events).await.as_deref(), Some("hello"));
    while name_of_next(&mut events).await.unwrap() != "new_message" {}
    ann.log_out().await.unwrap();
    while name_of_next(&mut events).await.is_some() {}
    assert_eq!(status(&ann.events_once(EventsFrom::Now).await.unwrap_err()), Some(401));
}

#[tokio::test]
async fn a_connection_of_events_ends_with_the_server_and_a_request_fails_soon() {
    let test = TestServer::sqlite().await;
    let ann = test.at_the_terminal("ann").await;
    let mut events = ann.events_once(EventsFrom::Now).await.unwrap();
    assert_eq!(name_of_next(&mut events).await.as_deref(), Some("hello"));
    let data = test.stop().await;
    while let Ok(Some(_)) = soon("the end", events.next()).await {}
    assert_eq!(status(&ann.whoami().await.unwrap_err()), None);
    assert!(matches!(ann.events_once(EventsFrom::Now).await, Err(ClientError::Transport(_))));
    drop(data);
}

/// Answers the code of a device on the page of the hub.
async fn answer(test: &TestServer, person: &Person, code: &str, decision: &str) {
    let form = [("user_code", code.to_owned()), ("agent", "scout".into()), ("decision", decision.into())];
    assert_eq!(submit(test, person, "/device", &form).await.status(), 200);
}

#[both_engines]
async fn a_program_logs_in_in_a_browser_and_renews_its_tokens(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let terminal = test.terminal();
    let mut login = terminal.begin_device_login("A terminal").await.unwrap();
    assert_eq!(login.verification_uri(), test.url("/device"));
    assert!(login.verification_uri_complete().unwrap().ends_with(login.user_code()));
    assert!(terminal.poll_device_login(&mut login).await.unwrap().is_none());
    // Too soon: the hub asks for more patience.
    assert!(terminal.poll_device_login(&mut login).await.unwrap().is_none());
    answer(&test, &ann, login.user_code(), "allow").await;
    test.clock.advance(Duration::from_mins(1));
    let tokens = terminal.poll_device_login(&mut login).await.unwrap().unwrap();
    let scout = terminal.clone().with_key(&tokens.access_token);
    assert_eq!(scout.whoami().await.unwrap().handle, "scout");

    test.clock.advance(limits::OAUTH_ACCESS_TTL);
    assert_eq!(scout.whoami().await.unwrap_err().code(), Some("token_expired"));
    let kept = DeviceTokens::new(&tokens.client_id, &tokens.access_token, &tokens.refresh_token);
    let renewed = terminal.refresh(&kept).await.unwrap();
    let scout = terminal.clone().with_key(&renewed.access_token);
    assert_eq!(scout.whoami().await.unwrap().handle, "scout");
    terminal.revoke(&renewed).await.unwrap();
    assert_eq!(status(&scout.whoami().await.unwrap_err()), Some(401));
    assert_eq!(terminal.refresh(&renewed).await.unwrap_err().code(), Some("invalid_grant"));
}

#[both_engines]
async fn a_login_in_a_browser_can_be_denied(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let terminal = test.terminal();
    let mut login = terminal.begin_device_login("A terminal").await.unwrap();
    answer(&test, &ann, login.user_code(), "deny").await;
    let error = terminal.poll_device_login(&mut login).await.unwrap_err();
    assert_eq!((status(&error), error.code()), (Some(400), Some("access_denied")));
    let mut forgotten = terminal.begin_device_login("A terminal").await.unwrap();
    test.clock.advance(limits::OAUTH_DEVICE_TTL);
    assert_eq!(terminal.poll_device_login(&mut forgotten).await.unwrap_err().code(), Some("expired_token"));
}
