//! Display names: nobody is called like somebody else, through any door.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::{svc_admin, svc_admin_with};
use crate::support::people::{PASSWORD, Person};
use crate::support::server::{TestServer, problem};

/// Makes sure that a name is refused, and that the refusal names the field.
async fn refused(test: &TestServer, who: &Person, method: Method, path: &str, body: Value) {
    let told = problem(test.ask(who, method, path, body.clone()).await, 400, "validation_failed").await;
    assert_eq!(told["errors"][0]["field"], "display_name", "{body}: {told}");
}

#[both_engines]
async fn nobody_is_called_like_somebody_else(test: TestServer) {
    let (ann, _) = (test.person("ann").await, test.person("bob_1").await);
    test.create_agent(&ann, "builder").await;
    for name in [
        "bob_1",
        "Bob 1",
        "BOB-L",
        "b0b_1",
        "bоb_1",
        "@bob_1",
        "ｂｏｂ１",
        "bοb1",
        "B\u{332}ob1",
        "builder",
        "Вuilder",
        "admin",
        "ΑDMIN",
        "system",
        "System",
        "ѕуѕtеm",
        "Systern",
        "S y s t e m",
        "The hub",
        "the-hub",
        "ТНЕ НUВ",
        "Hub",
        "svc",
        "An\u{200b}n",
        "\u{202e}nna",
        "Ann\u{2066}",
        "\u{3164}",
        "A\u{ad}nn",
        "Ann\u{e0041}",
    ] {
        let body = json!({ "display_name": name });
        refused(&test, &ann, Method::PATCH, "/auth/me", body.clone()).await;
        if !name.to_lowercase().contains("uilder") {
            refused(&test, &ann, Method::PATCH, "/api/agents/builder", body).await;
        }
        refused(&test, &ann, Method::POST, "/api/agents", json!({ "name": "other", "display_name": name })).await;
    }
    for name in ["Ann", "ANN", "Ann Ü. 🙂", "Anna", "Bob", "王小明", "Zoë 👩‍👩‍👧", "A hub of ideas"]
    {
        let renamed = test.did(&ann, Method::PATCH, "/auth/me", json!({ "display_name": name })).await;
        assert_eq!(renamed["display_name"], name);
    }
    let agent = test.did(&ann, Method::POST, "/api/agents", json!({ "name": "a1-l0", "display_name": "A1 L0" })).await;
    assert_eq!(agent["agent"]["display_name"], "A1 L0", "one's own handle is one's own name");
    test.stop().await;
}

#[both_engines]
async fn the_command_line_and_invitations_keep_the_rule(test: TestServer) {
    let ann = test.person("ann").await;
    let create = ["users", "create", "carl", "--password-stdin", "--display-name", "The Hub"];
    svc_admin_with(&test, &create, PASSWORD).await.refused(1, "display");
    let create = ["agents", "create", "helper", "--owner", "ann", "--display-name", "аnn"];
    svc_admin(&test, &create).await.refused(1, "resembles ann");
    let invite = svc_admin(&test, &["users", "invite"]).await.shown_once();
    let account = json!({ "invite": invite, "username": "carl", "password": PASSWORD, "display_name": "System" });
    let told = problem(
        test.request(Method::POST, "/auth/register").json(&account).send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
    assert_eq!(told["errors"][0]["field"], "display_name", "{told}");
    // The invitation is still good for another name.
    let account = json!({ "invite": invite, "username": "carl", "password": PASSWORD, "display_name": "Carl" });
    assert!(test.request(Method::POST, "/auth/register").json(&account).send().await.unwrap().status().is_success());
    refused(&test, &ann, Method::PATCH, "/auth/me", json!({ "display_name": "Carl" })).await;
    test.stop().await;
}

#[both_engines]
async fn a_name_that_was_given_stays_until_it_is_changed(test: TestServer) {
    let ann = test.person("ann").await;
    test.did(&ann, Method::PATCH, "/auth/me", json!({ "display_name": "Dora" })).await;
    let dora = test.person("dora").await;
    assert_eq!(test.look(&ann, "/auth/me").await["display_name"], "Dora");
    let same = test.did(&ann, Method::PATCH, "/auth/me", json!({ "display_name": "Dora" })).await;
    assert_eq!(same["display_name"], "Dora", "it is left as it is");
    test.did(&ann, Method::PATCH, "/auth/me", json!({ "display_name": "Ann" })).await;
    refused(&test, &ann, Method::PATCH, "/auth/me", json!({ "display_name": "Dora" })).await;
    refused(&test, &dora, Method::PATCH, "/auth/me", json!({ "display_name": "ann" })).await;
    test.stop().await;
}
