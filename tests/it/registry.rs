//! The registry of machine principals: how it comes into force, and who sees it.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::audit::AuditFilter;
use svc_core::ids::EventSeq;
use svc_core::principals::{Audience, Loaded, LoadedRegistry, REGISTRY_SCHEMA};
use svc_core::{Caller, ErrorKind, Hub, HubConfig, Result, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::machines::{TestMachine, registry};
use crate::support::server::{TestServer, problem};

async fn load(hub: &Hub, document: &Value) -> Result<Loaded> {
    hub.principals().load(&Caller::root(), "a test", document.to_string().into_bytes()).await
}

async fn audited(hub: &Hub) -> Vec<Value> {
    let filter = AuditFilter { event: Some("registry_loaded".into()), ..AuditFilter::default() };
    let entries = hub.audit().list(&Caller::root(), filter).await.unwrap();
    entries.into_iter().rev().map(|entry| entry.details).collect()
}

async fn told(hub: &Hub) -> usize {
    let events = hub.events().read(EventSeq(0), 1000).await.unwrap();
    events.iter().filter(|event| event.kind == "machine_registry.loaded").count()
}

#[both_engines]
async fn a_registry_comes_into_force_once(test: TestHub) {
    let hub = &test.hub;
    assert_eq!(hub.principals().loaded(&Caller::root()).await.unwrap(), None);
    let (door, bell) = (TestMachine::new("door"), TestMachine::new("bell").disabled());
    let document = registry(&[&door, &bell]);
    let first = load(hub, &document).await.unwrap();
    assert!(first.changed);
    assert_eq!((first.registry.principals, first.registry.keys), (2, 2));
    assert_eq!((first.registry.source.as_deref(), first.registry.sha256.len()), (Some("a test"), 64));
    assert_eq!(first.changes.added, ["svc:sense:door", "svc:sense:bell"]);

    test.clock.advance(std::time::Duration::from_mins(1));
    let again = hub.principals().load(&Caller::root(), "elsewhere", document.to_string().into_bytes()).await.unwrap();
    assert_eq!((again.changed, &again.registry), (false, &first.registry));
    // Another text of the same registry is another document.
    let spaced = format!(" {document}\n").into_bytes();
    let spaced = hub.principals().load(&Caller::root(), "a test", spaced).await.unwrap();
    assert!(spaced.changed && spaced.registry.loaded_at > first.registry.loaded_at);
    assert!(spaced.changes.lists().iter().all(|(_, list)| list.is_empty()));

    let audited = audited(hub).await;
    assert_eq!(audited.len(), 2, "{audited:?}");
    assert_eq!(audited[0]["sha256"], json!(first.registry.sha256));
    assert_eq!(audited[0]["changes"], json!({ "added": 2 }));
    assert_eq!(told(hub).await, 2);
}

#[both_engines]
async fn a_bad_document_never_replaces_a_good_one(test: TestHub) {
    let hub = &test.hub;
    let good = load(hub, &registry(&[&TestMachine::new("door")])).await.unwrap();
    let mut bad = registry(&[&TestMachine::new("other")]);
    bad["principals"][0]["keys"][0]["scopes"] = json!([]);
    let refusal = load(hub, &bad).await.unwrap_err();
    assert_eq!((refusal.kind(), refusal.code()), (ErrorKind::Invalid, "registry_invalid"));
    assert_eq!(refusal.details()["faults"][0]["pointer"], "/principals/0/keys/0/scopes");
    assert_eq!(refusal.details()["faults"][0]["code"], "too_few");

    let mut foreign = registry(&[&TestMachine::new("other")]);
    foreign["audience"] = json!("svc-bell");
    let refusal = load(hub, &foreign).await.unwrap_err();
    assert_eq!((refusal.kind(), refusal.code()), (ErrorKind::Invalid, "wrong_audience"));
    assert!(refusal.message().contains("svc-bell") && refusal.message().contains("svc-brain"), "{refusal}");
    for bytes in [b"\xef\xbb\xbf{}".to_vec(), vec![b' '; 10 * 1024 * 1024], b"{".to_vec()] {
        let refusal = hub.principals().load(&Caller::root(), "a test", bytes.clone()).await.unwrap_err();
        assert_eq!(refusal.code(), "registry_invalid");
        assert_eq!(hub.principals().check(bytes).await.unwrap_err().code(), "registry_invalid");
    }
    assert_eq!(hub.principals().loaded(&Caller::root()).await.unwrap(), Some(good.registry));
    assert_eq!((audited(hub).await.len(), told(hub).await), (1, 1));

    let config = HubConfig { audience: Audience::SvcBell, ..test.config.clone() };
    let bell = Hub::open(config).await.unwrap();
    assert!(load(&bell, &foreign).await.unwrap().changed);
    bell.close().await;
}

#[both_engines]
async fn what_a_registry_changes_is_told(test: TestHub) {
    let machines = ["aa", "bb", "cc", "dd", "ee"].map(TestMachine::new);
    let [gone, ended, back, woken, new] = &machines;
    load(&test.hub, &registry(&[gone, ended, &back.clone().revoked(), &woken.clone().disabled()])).await.unwrap();
    let scoped = back.clone().scoped(&["events:ingest"]);
    let next = registry(&[&ended.clone().revoked().disabled(), &scoped, woken, new]);
    let changes = load(&test.hub, &next).await.unwrap().changes;
    assert_eq!(changes.added, ["svc:sense:ee"]);
    assert_eq!(changes.removed, ["svc:sense:aa"]);
    assert_eq!((changes.disabled, changes.enabled), (vec!["svc:sense:bb".to_owned()], vec!["svc:sense:dd".to_owned()]));
    assert_eq!(changes.keys_revoked, ["svc:sense:bb/bb-key-1"]);
    assert_eq!(changes.keys_restored, ["svc:sense:cc/cc-key-1"]);
    assert_eq!(changes.keys_changed, ["svc:sense:cc/cc-key-1"]);

    let mut other_keys = registry(&[&ended.clone().revoked().disabled(), &scoped, woken, new]);
    other_keys["principals"][2]["keys"][0]["kid"] = json!("dd-key-22");
    let changes = load(&test.hub, &other_keys).await.unwrap().changes;
    assert_eq!(
        (changes.keys_added, changes.keys_removed),
        (vec!["svc:sense:dd/dd-key-22".to_owned()], vec!["svc:sense:dd/dd-key-1".to_owned()],)
    );
}

#[both_engines]
async fn of_many_that_load_the_same_document_one_changes_something(test: TestHub) {
    let other = test.another().await;
    for round in 0..5 {
        let document = registry(&[&TestMachine::new(&format!("door-{round}")), &TestMachine::new("bell")]);
        let loads = (0..16).map(|index| load(if index % 2 == 0 { &test.hub } else { &other }, &document));
        let outcomes: Vec<_> = join_all(loads).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes.iter().filter(|loaded| loaded.changed).count(), 1);
        assert!(outcomes.iter().all(|loaded| loaded.registry == outcomes[0].registry));
    }
    assert_eq!((audited(&test.hub).await.len(), told(&test.hub).await), (5, 5));
    other.close().await;
}

#[both_engines]
async fn different_documents_at_once_leave_one_of_them_whole(test: TestHub) {
    let other = test.another().await;
    let documents: Vec<_> = (1..=8)
        .map(|count| {
            let machines: Vec<_> = (0..count).map(|index| TestMachine::new(&format!("m{count}-{index}"))).collect();
            registry(&machines.iter().collect::<Vec<_>>())
        })
        .collect();
    let loads = documents.iter().enumerate();
    let loads = loads.map(|(index, document)| load(if index % 2 == 0 { &test.hub } else { &other }, document));
    assert!(join_all(loads).await.into_iter().all(|loaded| loaded.unwrap().changed));
    let view = test.hub.principals().list(&Caller::root()).await.unwrap();
    let loaded = view.registry.clone().unwrap();
    let count = i64::try_from(view.principals.len()).unwrap();
    assert_eq!((loaded.principals, loaded.keys), (count, count));
    let prefix = format!("svc:sense:m{}-", view.principals.len());
    assert!(view.principals.iter().all(|principal| principal.principal_id.starts_with(&prefix)), "{view:?}");
    other.close().await;
}

#[both_engines]
async fn a_list_of_machines_has_an_end(test: TestHub) {
    let door = TestMachine::new("door");
    load(&test.hub, &registry(&[&door])).await.unwrap();
    let list = async || test.hub.principals().list(&Caller::root()).await.unwrap();
    let add = async |from: u32, to: u32| {
        let text = "INSERT INTO machine_histories (principal_id, events) VALUES ($1, 0)";
        test.hub
            .db()
            .write((from, to), move |tx, (from, to)| {
                Box::pin(async move {
                    for number in *from..*to {
                        tx.query(text).bind(format!("gone-{number:04}")).execute().await?;
                    }
                    Ok(())
                })
            })
            .await
            .unwrap();
    };
    add(1, limits::MACHINES_LISTED_MAX).await;
    let view = list().await;
    assert_eq!((view.principals.len(), view.truncated), (1000, false));
    add(limits::MACHINES_LISTED_MAX, limits::MACHINES_LISTED_MAX + 1).await;
    let view = list().await;
    assert_eq!((view.principals.len(), view.truncated), (1000, true));
    assert!(view.principals.iter().any(|shown| shown.principal_id == door.principal_id && shown.registered));
}

#[both_engines]
async fn everybody_known_sees_the_principals_and_nobody_their_keys(server: TestServer) {
    problem(server.get("/api/machines").await, 401, "unauthenticated").await;
    let ann = server.person("ann").await;
    let empty: Value =
        server.request_as(&ann, Method::GET, "/api/machines").send().await.unwrap().json().await.unwrap();
    assert_eq!(empty, json!({ "principals": [], "truncated": false }));

    let door = TestMachine::new("door").scoped(&["evidence:read", "events:ingest"]);
    let bell = TestMachine::new("bell").disabled().revoked();
    let loaded = load(&server.hub, &registry(&[&door, &bell])).await.unwrap();
    let answer = server.request_as(&ann, Method::GET, "/api/machines").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let text = answer.text().await.unwrap();
    assert!(!text.contains(&door.key.public_key_base64url()), "{text}");
    let seen: Value = serde_json::from_str(&text).unwrap();
    let told = LoadedRegistry { source: None, ..loaded.registry.clone() };
    assert_eq!(seen["registry"], json!(told), "where it came from is for admins");
    let admin = server.admin("ada").await;
    let seen_by_admin: Value =
        server.request_as(&admin, Method::GET, "/api/machines").send().await.unwrap().json().await.unwrap();
    assert_eq!(seen_by_admin["registry"], json!(loaded.registry));
    let principals = seen["principals"].as_array().unwrap();
    assert_eq!(principals[0]["principal_id"], "svc:sense:bell");
    assert_eq!((&principals[0]["enabled"], &principals[0]["revoked_keys"]), (&json!(false), &json!(1)));
    assert_eq!((&principals[0]["active_keys"], &principals[0]["scopes"]), (&json!(0), &json!([])));
    assert_eq!((&principals[1]["enabled"], &principals[1]["active_keys"]), (&json!(true), &json!(1)));
    assert_eq!(principals[1]["scopes"], json!(["events:ingest", "evidence:read"]));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_holder_of_the_process_puts_a_registry_into_force() {
    let server = TestServer::sqlite().await;
    let admin = server.admin("ann").await;
    let token = admin.cookie.split_once('=').unwrap().1;
    let caller = server.hub.auth().session(token).await.unwrap();
    let bytes = registry(&[]).to_string().into_bytes();
    let refusal = server.hub.principals().load(&caller, "a test", bytes).await.unwrap_err();
    assert_eq!((refusal.kind(), refusal.code()), (ErrorKind::Forbidden, "admin_socket_only"));
    assert_eq!(server.hub.principals().loaded(&caller).await.unwrap(), None);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_is_served_to_everybody() {
    let server = TestServer::sqlite().await;
    let path = "/contracts/v1/machine-principal-registry.schema.json";
    let answer = server.get(path).await;
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["content-type"]),
        (200, &"application/schema+json".parse().unwrap())
    );
    let tag = answer.headers()["etag"].clone();
    assert_eq!(answer.text().await.unwrap(), REGISTRY_SCHEMA);
    let again = server.request(Method::GET, path).header("if-none-match", tag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    problem(server.request(Method::POST, path).send().await.unwrap(), 405, "method_not_allowed").await;
    problem(server.get("/contracts/v2/machine-principal-registry.schema.json").await, 404, "not_found").await;
    server.stop().await;
}
