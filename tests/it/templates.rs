//! Message templates, each human's own.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::templates::NewMessageTemplate;
use svc_core::{Caller, Error, limits};
use svc_test_macros::both_engines;

use crate::support::server::{TestServer, faults, problem, told};
use crate::support::talk::names;

const ALL: &str = "/api/message-templates";

fn path_of(template: &Value) -> String {
    format!("{ALL}/{}", template["id"])
}

#[both_engines]
async fn people_keep_templates_for_themselves(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    assert_eq!(test.look(&ann, ALL).await, json!({ "templates": [] }));
    let new = json!({ "name": " Thanks ", "body": "Thank you!" });
    let once = || test.request_as(&ann, Method::POST, ALL).header("Idempotency-Key", "one").json(&new).send();
    let thanks = told(once().await.unwrap(), 201).await;
    assert_eq!((&thanks["name"], &thanks["body"]), (&json!("Thanks"), &json!("Thank you!")));
    assert_eq!(told(once().await.unwrap(), 201).await, thanks, "the same key makes one");
    test.did(&ann, Method::POST, ALL, json!({ "name": "away", "body": "Back on Monday." })).await;
    assert_eq!(names(&test.look(&ann, ALL).await, "templates"), ["away", "Thanks"]);
    assert_eq!(test.look(&bob, ALL).await, json!({ "templates": [] }));

    // Others have names of their own, and do not reach mine.
    test.did(&bob, Method::POST, ALL, json!({ "name": "Thanks", "body": "Cheers!" })).await;
    for (method, body) in [(Method::PATCH, json!({ "name": "Mine" })), (Method::DELETE, json!({}))] {
        problem(test.ask(&bob, method, &path_of(&thanks), body).await, 404, "not_found").await;
    }
    let changed = test.did(&ann, Method::PATCH, &path_of(&thanks), json!({ "body": "Many thanks!" })).await;
    assert_eq!((&changed["name"], &changed["body"]), (&json!("Thanks"), &json!("Many thanks!")));
    let renamed = test.did(&ann, Method::PATCH, &path_of(&thanks), json!({ "name": "THANKS" })).await;
    assert_eq!(renamed["name"], "THANKS", "its own name in other letters");
    test.did(&ann, Method::DELETE, &path_of(&thanks), json!({})).await;
    problem(test.ask(&ann, Method::DELETE, &path_of(&thanks), json!({})).await, 404, "not_found").await;
    assert_eq!(names(&test.look(&ann, ALL).await, "templates"), ["away"]);
    test.stop().await;
}

#[both_engines]
async fn names_are_unique_whatever_their_case(test: TestServer) {
    let ann = test.person("ann").await;
    let caller = test.caller(&ann).await;
    let new = |name: &str| NewMessageTemplate { name: name.into(), body: "x".into() };
    let answers =
        join_all(["Größe", "GRÖSSE", "größe", "GRÖßE"].map(|name| test.hub.templates().create(&caller, new(name))))
            .await;
    // Only letters that differ in case alone are taken for each other.
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 2);
    let codes: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(Error::code).collect();
    assert_eq!(codes, ["template_exists"; 2]);
    let other = test.hub.templates().create(&caller, new("other")).await.unwrap();
    let path = format!("{ALL}/{}", other.id);
    problem(test.ask(&ann, Method::PATCH, &path, json!({ "name": "GRÖSSE" })).await, 409, "template_exists").await;
    test.stop().await;
}

#[both_engines]
async fn names_and_texts_are_checked(test: TestServer) {
    let ann = test.person("ann").await;
    let made = test.did(&ann, Method::POST, ALL, json!({ "name": "n", "body": "b" })).await;
    let long = "x".repeat(limits::TEMPLATE_NAME_MAX + 1);
    for name in ["", "  ", "two\nlines", "\u{8b}", "\u{202e}x", &long] {
        for (method, path) in [(Method::POST, ALL.to_owned()), (Method::PATCH, path_of(&made))] {
            let body =
                if method == Method::POST { json!({ "name": name, "body": "b" }) } else { json!({ "name": name }) };
            let refused = test.ask(&ann, method, &path, body).await;
            assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["name"], "{name:?}");
        }
    }
    let long = "x".repeat(limits::BODY_MAX + 1);
    for body in ["", " \n", "a\u{0}b", &long] {
        let refused = test.ask(&ann, Method::POST, ALL, json!({ "name": "other", "body": body })).await;
        assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["body"]);
    }
    test.stop().await;
}

#[both_engines]
async fn the_number_of_templates_is_bounded_and_ends_with_the_account(test: TestServer) {
    let ann = test.person("ann").await;
    let caller = test.caller(&ann).await;
    let new = |number: i64| NewMessageTemplate { name: format!("number {number}"), body: "x".into() };
    for number in 0..limits::TEMPLATES_MAX - 2 {
        test.hub.templates().create(&caller, new(number)).await.unwrap();
    }
    let answers = join_all((1000..1006).map(|number| test.hub.templates().create(&caller, new(number)))).await;
    let codes: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(Error::code).collect();
    assert_eq!(codes, ["too_many_templates"; 4]);
    assert_eq!(test.look(&ann, ALL).await["templates"].as_array().unwrap().len(), 100);
    test.hub.users().delete(&Caller::root(), "ann").await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM message_templates").await, 0);
    test.stop().await;
}
