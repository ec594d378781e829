//! Signed requests of machine principals: what is let in, and what everything else is told.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Body, Method, Request};
use serde_json::json;
use svc_client::machine::Signer;
use svc_core::auth::{Surface, Visit};
use svc_core::clock::Clock;
use svc_core::principals::{Audience, Machine, NewRuntimeStatus, RuntimeStatus, Scope, SignedRequest};
use svc_core::{Caller, Hub};
use svc_http::RateLimits;
use svc_test_macros::both_engines;

use crate::support::clock::TestClock;
use crate::support::machines::{TestMachine, load_machines, running};
use crate::support::server::{TestServer, problem};
use crate::support::store::work_once;

const STATUS: &str = "/api/machine/runtime-status?from=door";

fn new_status() -> NewRuntimeStatus {
    serde_json::from_value(running()).unwrap()
}

impl TestServer {
    /// A request that says how the machine is, signed.
    fn status_by(&self, machine: &TestMachine) -> Request {
        self.signed(machine, Method::PUT, STATUS, &running())
    }
}

/// The machine that a hub recognises behind a request, without HTTP in between.
async fn recognised(hub: &Hub, request: &Request) -> svc_core::Result<Machine> {
    let authorities = [request.url().authority().to_owned()];
    let signed = SignedRequest {
        method: request.method().as_str(),
        authorities: &authorities,
        path: request.url().path(),
        query: request.url().query(),
        headers: request.headers(),
        has_body: request.body().is_some(),
    };
    let body = request.body().and_then(Body::as_bytes).unwrap_or_default();
    let visit = Visit { surface: Surface::Hub, remote_ip: None, request_id: None, user_agent: None };
    hub.principals().authenticate(&signed, body, Scope::RuntimeStatusWrite, &visit).await
}

/// What comes of the same request at another node.
async fn at_node(hub: &Hub, request: &Request) -> svc_core::Result<RuntimeStatus> {
    let machine = recognised(hub, request).await?;
    hub.principals().put_status(&machine, new_status()).await
}

/// Changes one field of a signed request.
fn field(mut request: Request, name: &'static str, change: impl FnOnce(&str) -> String) -> Request {
    let changed = change(request.headers()[name].to_str().unwrap());
    request.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_str(&changed).unwrap());
    request
}

fn input(request: Request, from: &str, to: &str) -> Request {
    field(request, "signature-input", |text| {
        assert!(text.contains(from), "{text}");
        text.replace(from, to)
    })
}

fn without(mut request: Request, name: &str) -> Request {
    request.headers_mut().remove(name);
    request
}

/// Two signatures with our tag, each of them good.
fn twice(request: Request, again: &HeaderMap) -> Request {
    let both = |text: &str, name: &str| format!("{text}, {}", again[name].to_str().unwrap().replace("sig1=", "sig2="));
    let request = field(request, "signature-input", |text| both(text, "signature-input"));
    field(request, "signature", |text| both(text, "signature"))
}

/// Requests that are refused because of what was signed, each with its code.
fn faulty(test: &TestServer, door: &TestMachine, gate: &TestMachine) -> Vec<(&'static str, Request)> {
    let good = || test.status_by(door);
    let late = TestClock::new();
    late.advance(Duration::from_secs(301));
    let by = |principal: &TestMachine, kid: &str, key: &TestMachine, clock: Arc<dyn Clock>| {
        let mut request = test.unsigned(Method::PUT, STATUS, &running());
        let signer = Signer::new(&principal.principal_id, kid, key.key.clone()).unwrap().with_clock(clock);
        signer.sign_reqwest(&mut request).unwrap();
        request
    };
    let changed = |change: &dyn Fn(&mut Request)| {
        let mut request = good();
        change(&mut request);
        request
    };
    let now = test.clock.now().as_micros() / 1_000_000;
    let created = format!("created={now}");
    vec![
        ("signature_missing", test.unsigned(Method::PUT, STATUS, &running())),
        ("signature_missing", without(good(), "signature")),
        ("signature_missing", without(good(), "signature-input")),
        ("signature_malformed", input(good(), "sig1=(", "sig1=((")),
        ("signature_malformed", input(good(), "\"@path\"", "\"@path\" \"@path\"")),
        ("signature_malformed", input(good(), "\"@path\"", "\"@path\";req")),
        ("signature_malformed", input(good(), &created, &format!("created=1;{created}"))),
        ("signature_malformed", input(good(), "\"@path\"", &format!("\"@path\"{}", " \"x-more\"".repeat(2_000)))),
        ("signature_ambiguous", twice(good(), good().headers())),
        ("signature_component_missing", input(good(), "\"@method\" ", "")),
        ("signature_component_missing", input(good(), "\"@authority\" ", "")),
        ("signature_component_missing", input(good(), "\"@path\" ", "")),
        ("signature_component_missing", input(good(), "\"@query\" ", "")),
        ("signature_component_missing", input(good(), " \"content-digest\"", "")),
        ("signature_parameter_missing", input(good(), &format!(";{created}"), "")),
        ("signature_parameter_missing", input(good(), ";nonce=", ";once=")),
        ("signature_parameter_missing", input(good(), ";keyid=", ";key=")),
        ("signature_parameter_missing", input(good(), ";alg=\"ed25519\"", "")),
        ("signature_algorithm", input(good(), "alg=\"ed25519\"", "alg=\"rsa-pss-sha512\"")),
        ("signature_tag", input(good(), "svc.machine/v1", "web-bot-auth")),
        ("signature_stale", input(good(), &created, &format!("created={}", now - 301))),
        ("signature_stale", input(good(), &created, &format!("{created};expires={now}"))),
        ("signature_future", by(door, &door.kid, door, Arc::new(late))),
        ("digest_missing", without(good(), "content-digest")),
        ("digest_missing", field(good(), "content-digest", |text| text.replace("sha-256", "md5"))),
        ("digest_mismatch", changed(&|request| *request.body_mut() = Some("{\"state\": \"stopped\"}".into()))),
        ("unknown_machine_key", by(door, "door-key-2", door, test.clock.clone())),
        ("unknown_machine_key", by(door, &gate.kid, gate, test.clock.clone())),
        ("signature_invalid", by(door, &door.kid, gate, test.clock.clone())),
        ("signature_invalid", changed(&|request| request.url_mut().set_query(Some("from=window")))),
        ("signature_invalid", changed(&|request| request.url_mut().set_query(None))),
        ("signature_invalid", input(good(), &created, &format!("created={}", now - 1))),
        ("signature_invalid", {
            let mut request = good();
            request.headers_mut().insert("host", HeaderValue::from_static("other.example"));
            request
        }),
    ]
}

#[both_engines]
async fn a_signed_request_is_let_in_and_tells_who_asked(test: TestServer) {
    let door = test.machine("door").await;
    let answer = test.send(test.status_by(&door)).await;
    assert_eq!(answer.status(), 200);
    let request_id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_eq!(test.effects().await, (1, 1));
    assert!(test.refusals().await.is_empty());
    let page = test.hub.traces().list(&Caller::root(), svc_core::traces::TraceFilter::default()).await.unwrap();
    let trace = page.traces.iter().find(|trace| trace.request_id == Some(request_id.clone())).unwrap();
    assert_eq!((trace.owner_id, trace.agent.as_deref(), trace.action.as_str()), (None, None, "put_runtime_status"));
    let named = (&trace.details["principal_id"], &trace.details["kid"]);
    assert_eq!(named, (&json!(door.principal_id), &json!(door.kid)));
    test.stop().await;
}

#[both_engines]
async fn every_fault_has_its_code_and_its_entry_and_no_effect(test: TestServer) {
    let (door, gate) = (TestMachine::new("door"), TestMachine::new("gate"));
    load_machines(&test.hub, &[&door, &gate]).await;
    let mut expected = Vec::new();
    for (code, request) in faulty(&test, &door, &gate) {
        let answer = test.send(request).await;
        let challenge = answer.headers()["accept-signature"].to_str().unwrap().to_owned();
        assert_eq!(challenge, svc_core::principals::ACCEPT_SIGNATURE);
        assert!(!answer.headers().contains_key("www-authenticate"), "a token would not help");
        problem(answer, 401, code).await;
        expected.push(code);
    }
    let refusals = test.refusals().await;
    let codes: Vec<_> = refusals.iter().map(|details| details["code"].as_str().unwrap()).collect();
    assert_eq!(codes, expected);
    let named = refusals.iter().find(|details| details["code"] == "digest_mismatch").unwrap();
    assert_eq!((&named["principal_id"], &named["kid"]), (&json!(door.principal_id), &json!(door.kid)));
    assert_eq!(test.effects().await, (0, 0));
    // Nobody known has asked for anything, so nothing is on record as done.
    let traces =
        test.hub.traces().list(&Caller::root(), svc_core::traces::TraceFilter::default()).await.unwrap().traces;
    assert!(traces.iter().all(|trace| trace.action != "put_runtime_status"), "{traces:?}");
    test.stop().await;
}

#[both_engines]
async fn what_the_registry_does_not_allow_has_its_code(test: TestServer) {
    let door = TestMachine::new("door");
    for (machine, status, code) in [
        (door.clone().disabled(), 403, "principal_disabled"),
        (door.clone().revoked(), 401, "machine_key_revoked"),
        (door.clone().disabled().revoked(), 403, "principal_disabled"),
        (door.clone().scoped(&["events:ingest", "evidence:read"]), 403, "missing_scope"),
    ] {
        load_machines(&test.hub, &[&machine]).await;
        problem(test.send(test.status_by(&machine)).await, status, code).await;
        // Nobody learns how a key is who cannot sign with it.
        let forged = machine.with_another_key();
        problem(test.send(test.status_by(&forged)).await, 401, "signature_invalid").await;
    }
    let codes: Vec<_> = test.refusals().await.iter().map(|details| details["code"].clone()).collect();
    let invalid = "signature_invalid";
    let expected = ["principal_disabled", invalid, "machine_key_revoked", invalid, "principal_disabled", invalid];
    assert_eq!(codes[..6], expected);
    assert_eq!(test.effects().await, (0, 0));
    test.stop().await;
}

#[both_engines]
async fn without_a_registry_nobody_is_known(test: TestServer) {
    problem(test.send(test.status_by(&TestMachine::new("door"))).await, 401, "unknown_machine_key").await;
    assert_eq!(test.refusals().await.len(), 1);
    test.stop().await;
}

#[both_engines]
async fn keys_and_logins_are_no_signatures(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scout").await;
    for request in [
        test.request_as(&ann, Method::PUT, STATUS),
        test.request_with(&key, Method::PUT, STATUS),
        test.request(Method::PUT, STATUS),
    ] {
        let answer = request.json(&running()).send().await.unwrap();
        assert!(answer.headers().contains_key("accept-signature"));
        problem(answer, 401, "signature_missing").await;
    }
    test.stop().await;
}

#[both_engines]
async fn what_was_signed_once_is_done_once_on_every_node(test: TestServer) {
    let door = test.machine("door").await;
    let request = test.status_by(&door);
    assert_eq!(test.send(request.try_clone().unwrap()).await.status(), 200);
    problem(test.send(request.try_clone().unwrap()).await, 401, "replayed_signature").await;
    let other = test.another().await;
    assert_eq!(at_node(&other, &request).await.unwrap_err().code(), "replayed_signature");
    let next = test.status_by(&door);
    at_node(&other, &next).await.unwrap();
    problem(test.send(next).await, 401, "replayed_signature").await;
    other.close().await;
    assert_eq!(test.effects().await, (2, 2));
    let replays = test.refusals().await.iter().filter(|details| details["code"] == "replayed_signature").count();
    assert_eq!(replays, 3);
    // And after everything was stopped.
    let (config, clock) = (test.hub.config().clone(), test.clock.clone());
    let _data = test.stop().await;
    let again = Hub::builder(config).clock(clock).open().await.unwrap();
    assert_eq!(at_node(&again, &request).await.unwrap_err().code(), "replayed_signature");
    again.close().await;
}

#[both_engines]
async fn of_many_at_once_one_wins(test: TestServer) {
    let door = test.machine("door").await;
    let request = test.status_by(&door);
    let answers = join_all((0..16).map(|_| test.send(request.try_clone().unwrap()))).await;
    let won = answers.iter().filter(|answer| answer.status() == 200).count();
    let lost = answers.iter().filter(|answer| answer.status() == 401).count();
    assert_eq!((won, lost), (1, 15));
    assert_eq!(test.effects().await, (1, 1));
    test.stop().await;
}

#[both_engines]
async fn a_machine_that_is_shut_out_meanwhile_does_nothing_more(test: TestServer) {
    let door = test.machine("door").await;
    for (shut_out, code) in [
        (vec![door.clone().disabled()], "principal_disabled"),
        (vec![door.clone().revoked()], "machine_key_revoked"),
        (vec![door.clone().scoped(&["evidence:read"])], "missing_scope"),
        (vec![door.clone().with_another_key()], "unknown_machine_key"),
        (vec![], "unknown_machine_key"),
    ] {
        load_machines(&test.hub, &[&door]).await;
        // It has proved who it is, and then the registry changes before it is done.
        let machine = recognised(&test.hub, &test.status_by(&door)).await.unwrap();
        load_machines(&test.hub, &shut_out.iter().collect::<Vec<_>>()).await;
        let refused = test.hub.principals().put_status(&machine, new_status()).await.unwrap_err();
        assert_eq!(refused.code(), code);
        assert_eq!(test.refusals().await.last().unwrap()["code"], code);
    }
    assert_eq!(test.effects().await, (0, 0));
    test.stop().await;
}

#[both_engines]
async fn a_signature_has_its_time_and_so_has_its_nonce(test: TestServer) {
    let door = test.machine("door").await;
    let (early, late) = (test.status_by(&door), test.status_by(&door));
    test.clock.advance(Duration::from_mins(5));
    assert_eq!(test.send(early).await.status(), 200);
    test.clock.advance(Duration::from_secs(1));
    problem(test.send(late).await, 401, "signature_stale").await;
    let sweep = async || {
        work_once(&test.hub, "nonce_sweep").await;
        test.effects().await.1
    };
    assert_eq!(sweep().await, 1);
    test.clock.advance(Duration::from_mins(5));
    assert_eq!(sweep().await, 0);
    test.stop().await;
}

#[both_engines]
async fn a_fault_in_the_body_does_not_use_the_signature_up(test: TestServer) {
    let door = test.machine("door").await;
    let request = test.signed(&door, Method::PUT, STATUS, &json!({ "state": "Not A Word" }));
    for _ in 0..2 {
        problem(test.send(request.try_clone().unwrap()).await, 400, "validation_failed").await;
    }
    assert_eq!(test.effects().await, (0, 0));
    assert!(test.refusals().await.is_empty());
    test.stop().await;
}

#[both_engines]
async fn a_registry_for_another_audience_lets_nobody_in(test: TestServer) {
    let door = test.machine("door").await;
    let mut config = test.hub.config().clone();
    config.audience = Audience::SvcBell;
    let bell = Hub::builder(config).clock(test.clock.clone()).open().await.unwrap();
    let refused = recognised(&bell, &test.status_by(&door)).await.unwrap_err();
    assert_eq!(refused.code(), "wrong_audience");
    assert_eq!(test.refusals().await.last().unwrap()["code"], "wrong_audience");
    bell.close().await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_principal_has_a_budget_of_its_own() {
    let test = TestServer::start(|config| config.rate_limits = RateLimits { read: 0, write: 2, auth: 0 }).await;
    let (door, gate) = (TestMachine::new("door"), TestMachine::new("gate"));
    load_machines(&test.hub, &[&door, &gate]).await;
    // A stranger, or somebody who says that they are the door, pays by address and not for the door.
    let forged = door.clone().with_another_key();
    for left in ["1", "0"] {
        let answer = test.send(test.status_by(&forged)).await;
        assert_eq!(answer.headers()["ratelimit-remaining"], left);
        problem(answer, 401, "signature_invalid").await;
    }
    problem(test.send(test.status_by(&forged)).await, 429, "rate_limited").await;
    assert_eq!(test.refusals().await.len(), 2, "a flood does not fill the audit log");
    for machine in [&door, &gate] {
        for left in ["1", "0"] {
            let answer = test.send(test.status_by(machine)).await;
            assert_eq!(
                (answer.status().as_u16(), &answer.headers()["ratelimit-remaining"]),
                (200, &left.parse().unwrap())
            );
        }
        let limited = test.status_by(machine);
        problem(test.send(limited).await, 429, "rate_limited").await;
    }
    assert_eq!(test.effects().await, (4, 4));
    // What never comes to a signature is limited as well.
    assert_eq!(test.request(Method::PUT, "/api/machine/nothing").send().await.unwrap().status(), 429);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_the_public_address_is_what_is_signed() {
    let test = TestServer::start(|config| config.base_url = Some("https://hub.example".parse().unwrap())).await;
    let door = test.machine("door").await;
    let signed_for = |signed: &str, sent: &str| {
        let mut request = test.unsigned(Method::PUT, STATUS, &running());
        request.headers_mut().insert("host", HeaderValue::from_str(signed).unwrap());
        door.signer(&test).sign_reqwest(&mut request).unwrap();
        request.headers_mut().insert("host", HeaderValue::from_str(sent).unwrap());
        test.send(request)
    };
    let own = test.address.to_string();
    assert_eq!(signed_for("hub.example", "hub.example").await.status(), 200);
    assert_eq!(signed_for("HUB.example", "10.0.0.7:8080").await.status(), 200, "whatever the proxy made of it");
    assert_eq!(signed_for(&own, &own).await.status(), 200, "this machine's own name");
    for (signed, sent) in
        [("other.example", "other.example"), ("10.0.0.7", "10.0.0.7"), ("hub.example:8443", "hub.example")]
    {
        let refused = problem(signed_for(signed, sent).await, 401, "signature_invalid").await;
        assert!(refused["detail"].as_str().unwrap().contains("hub.example"), "{refused}");
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_2_and_in_pieces_it_is_the_same_request() {
    let test = TestServer::sqlite().await;
    let door = test.machine("door").await;
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let client = reqwest::Client::builder().http2_prior_knowledge().build().unwrap();
    assert_eq!(client.execute(test.status_by(&door)).await.unwrap().status(), 200);
    for client in [&client, &test.client] {
        let mut request = test.status_by(&door);
        let body = request.body().unwrap().as_bytes().unwrap().to_vec();
        let pieces = body.chunks(3).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
        *request.body_mut() = Some(Body::wrap_stream(futures_util::stream::iter(pieces)));
        assert_eq!(client.execute(request).await.unwrap().status(), 200);
    }
    test.stop().await;
}
