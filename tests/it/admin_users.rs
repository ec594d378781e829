//! `svc-admin users`, against the server as it is shipped.

use serde_json::{Value, json};
use svc_core::Error;
use svc_core::auth::{Password, Surface, Visit};
use svc_core::sessions::NewSession;
use svc_core::users::{NewAccount, Registration, Role};
use svc_test_macros::both_engines;

use crate::support::admin::{svc_admin, svc_admin_with};
use crate::support::server::TestServer;

async fn log_in(server: &TestServer, name: &str, password: &str) -> Result<NewSession, Error> {
    server.hub.sessions().login(name, password, &Visit::through(Surface::Rest)).await
}

/// The names in a JSON list of users.
fn names(page: &Value) -> Vec<&str> {
    page["users"].as_array().unwrap().iter().map(|user| user["username"].as_str().unwrap()).collect()
}

#[both_engines]
async fn a_password_that_is_made_stands_alone_on_its_line_and_works(server: TestServer) {
    let password = svc_admin(&server, &["users", "create", "Ann", "--display-name", "Ann Lee"]).await.shown_once();
    assert!(password.len() >= 24, "{password}");
    let session = log_in(&server, "ann", &password).await.unwrap();
    assert_eq!((session.user.display_name.as_str(), session.user.role), ("Ann Lee", Role::User));

    let created = svc_admin(&server, &["--output", "json", "users", "create", "bob", "--role", "admin"]).await.json();
    assert_eq!((&created["user"]["username"], &created["user"]["role"]), (&json!("bob"), &json!("admin")));
    log_in(&server, "bob", created["password"].as_str().unwrap()).await.unwrap();
    // It is shown once and nowhere else.
    for arguments in [&["users", "list"][..], &["users", "list", "--output", "json"], &["audit", "list"]] {
        let printed = svc_admin(&server, arguments).await.worked();
        assert!(!printed.contains(&password) && !printed.contains(created["password"].as_str().unwrap()));
    }
    server.stop().await;
}

#[both_engines]
async fn a_password_comes_from_standard_input_and_is_not_repeated(server: TestServer) {
    let given = "correct horse battery";
    let create = ["users", "create", "ann", "--password-stdin"];
    let ran = svc_admin_with(&server, &create, &format!("{given}\n")).await;
    assert!(!ran.stderr.contains(given), "{ran:?}");
    assert_eq!(ran.worked(), "Created the user ann.\n");
    log_in(&server, "ann", given).await.unwrap();

    let short = svc_admin_with(&server, &["users", "create", "bob", "--password-stdin"], "short\n").await;
    assert!(!short.refused(1, "The password must have 8 to 72 bytes").contains("short\n"));
    let long = "x".repeat(10_000);
    svc_admin_with(&server, &["users", "create", "bob", "--password-stdin"], &long).await.refused(1, "8 to 72");
    svc_admin_with(&server, &["users", "create", "bob", "--password-stdin"], "").await.refused(1, "8 to 72");
    // Arguments are seen by everybody on the machine.
    svc_admin(&server, &["users", "create", "bob", given]).await.refused(2, "unexpected argument");
    svc_admin(&server, &["users", "create", "bob", "--password", given]).await.refused(2, "unexpected argument");
    server.stop().await;
}

#[both_engines]
async fn names_that_cannot_be_are_refused(server: TestServer) {
    svc_admin(&server, &["users", "create", "an"]).await.refused(1, "USERNAME must have 3 to 64 characters");
    svc_admin(&server, &["users", "create", "ADMIN"]).await.refused(1, "This name is taken");
    svc_admin(&server, &["users", "create", "system"]).await.refused(1, "This name is taken");
    svc_admin(&server, &["users", "create", "ann", "--display-name", " "]).await.refused(1, "--display-name must");
    svc_admin(&server, &["users", "disable", "admni"]).await.refused(1, "did you mean admin?");
    for command in ["passwd", "disable", "enable", "sessions"] {
        svc_admin(&server, &["users", command, "nobody"]).await.refused(1, "There is no user \"nobody\"");
    }
    svc_admin(&server, &["users", "set-role", "nobody", "admin"]).await.refused(1, "users list");
    svc_admin(&server, &["users", "delete", "nobody", "--yes"]).await.refused(1, "users list");
    server.stop().await;
}

#[both_engines]
async fn a_list_has_pages_and_says_what_comes_next(server: TestServer) {
    for name in ["cleo", "ann", "bob"] {
        svc_admin(&server, &["users", "create", name]).await.shown_once();
    }
    let all = svc_admin(&server, &["users", "list", "--output", "json"]).await.json();
    assert_eq!((names(&all), &all["total"]), (vec!["admin", "ann", "bob", "cleo"], &json!(4)));
    let first = svc_admin(&server, &["users", "list", "--limit", "3"]).await;
    assert!(first.stderr.contains("3 of 4 are shown: --offset 3"), "{first:?}");
    let next = svc_admin(&server, &["users", "list", "--limit", "3", "--offset", "3"]).await;
    assert_eq!(next.stderr, "");
    assert!(next.worked().contains("cleo"));
    svc_admin(&server, &["users", "list", "--limit", "201"]).await.refused(1, "--limit must be 1 to 200");
    server.stop().await;
}

#[both_engines]
async fn an_invitation_opens_one_account(server: TestServer) {
    let invite = svc_admin(&server, &["users", "invite", "--role", "admin", "--expires-in", "1h"]).await.shown_once();
    let register = async |name: &str| {
        let account = NewAccount {
            username: name.parse().unwrap(),
            display_name: None,
            password: Password::parse("password", "correct horse battery").unwrap(),
        };
        let registration = Registration { invite: invite.clone(), account };
        server.hub.users().register(registration, Visit::through(Surface::Rest)).await
    };
    assert_eq!(register("ann").await.unwrap().role, Role::Admin);
    assert_eq!(register("bob").await.unwrap_err().code(), "invite_required");
    let made = svc_admin(&server, &["users", "invite", "--output", "json"]).await.json();
    assert_eq!(made["role"], "user");
    assert!(made["invite"].as_str().unwrap().starts_with("svci_") && made["expires_at"].is_string());
    svc_admin(&server, &["users", "invite", "--expires-in", "91d"]).await.refused(1, "--expires-in must");
    svc_admin(&server, &["users", "invite", "--expires-in", "soon"]).await.refused(2, "has no number");
    server.stop().await;
}

#[both_engines]
async fn another_password_ends_every_login(server: TestServer) {
    let first = svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    let session = log_in(&server, "ann", &first).await.unwrap();
    let second = svc_admin(&server, &["users", "passwd", "ann"]).await.shown_once();
    assert!(server.hub.auth().session(session.token.reveal()).await.is_err());
    assert!(log_in(&server, "ann", &first).await.is_err());
    log_in(&server, "ann", &second).await.unwrap();
    let third = "correct horse battery";
    let ran = svc_admin_with(&server, &["users", "passwd", "ann", "--password-stdin"], &format!("{third}\r\n")).await;
    assert!(ran.worked().starts_with("Changed the password of ann"));
    log_in(&server, "ann", third).await.unwrap();
    server.stop().await;
}

#[both_engines]
async fn logins_are_listed_and_ended(server: TestServer) {
    let password = svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    let none = svc_admin(&server, &["users", "sessions", "ann"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("ann is not logged in"), "{none:?}");
    let session = log_in(&server, "ann", &password).await.unwrap();
    log_in(&server, "ann", &password).await.unwrap();
    let listed = svc_admin(&server, &["users", "sessions", "ann", "--output", "json"]).await.json();
    assert_eq!(listed["total"], 2);
    assert!(!listed.to_string().contains("svcl_"), "{listed}");
    assert_eq!(
        svc_admin(&server, &["users", "sessions", "ann", "--end"]).await.worked(),
        "Ended 2 login sessions of ann.\n"
    );
    assert!(server.hub.auth().session(session.token.reveal()).await.is_err());
    server.stop().await;
}

#[both_engines]
async fn the_last_admin_stays(server: TestServer) {
    for arguments in [
        &["users", "set-role", "admin", "user"][..],
        &["users", "disable", "admin"],
        &["users", "delete", "admin", "--yes"],
    ] {
        svc_admin(&server, arguments).await.refused(1, "last admin");
    }
    svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    assert_eq!(
        svc_admin(&server, &["users", "set-role", "ann", "admin"]).await.worked(),
        "ann has the role admin now.\n"
    );
    assert!(svc_admin(&server, &["users", "disable", "admin"]).await.worked().starts_with("admin is disabled"));
    svc_admin(&server, &["users", "disable", "ann"]).await.refused(1, "last admin");
    assert_eq!(svc_admin(&server, &["users", "enable", "admin"]).await.worked(), "admin is enabled.\n");
    server.stop().await;
}

#[both_engines]
async fn deleting_wants_to_be_confirmed(server: TestServer) {
    let password = svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    // Nobody can be asked, not even by answering in advance.
    svc_admin_with(&server, &["users", "delete", "ann"], "y\n").await.refused(2, "--yes");
    log_in(&server, "ann", &password).await.unwrap();
    let deleted = svc_admin(&server, &["users", "delete", "ann", "--yes", "--output", "json"]).await.json();
    assert_eq!(deleted, json!({ "deleted": "ann" }));
    assert!(log_in(&server, "ann", &password).await.is_err());
    assert_eq!(names(&svc_admin(&server, &["users", "list", "--output", "json"]).await.json()), ["admin"]);
    svc_admin(&server, &["users", "create", "ann"]).await.refused(1, "taken or was used before");
    server.stop().await;
}
