//! Bad conditions: each is one sentence at the start, or an honest error at run time and recovery
//! without a restart when the cause is gone.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use poem::endpoint::make;
use poem::{EndpointExt, Request};
use svc_core::db::StoreUrl;
use svc_core::events::{After, NewEvent};
use svc_core::health::ReadyState;
use svc_core::{Error, ErrorKind, Hub, HubConfig};
use svc_http::{AppState, Problem};
use tempfile::TempDir;

use crate::support::disk::SmallDisk;
use crate::support::postgres::{Cluster, FAST, shared_cluster};
use crate::support::server::{TestServer, problem};
use crate::support::wait::{soon, until};

async fn refusal(config: HubConfig) -> Error {
    match soon("the refusal", Hub::open(config)).await {
        Ok(_) => panic!("the hub opened"),
        Err(error) => error,
    }
}

/// One sentence that names the place and ends with what to do.
fn assert_helpful(error: &Error, place: &Path) {
    let message = error.message();
    assert!(message.contains(&place.display().to_string()), "{message}");
    assert!(message.contains(": ") && message.ends_with('.'), "{message}");
    assert_eq!(message.matches(". ").count(), 0, "more than one sentence: {message}");
}

#[tokio::test]
async fn a_missing_data_directory_is_made_and_private() {
    let parent = TempDir::new().unwrap();
    let data = parent.path().join("a/b/data");
    let hub = Hub::open(HubConfig::at(&data)).await.unwrap();
    assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
    hub.close().await;
}

#[tokio::test]
async fn a_file_in_place_of_the_data_directory_is_told() {
    let parent = TempDir::new().unwrap();
    let data = parent.path().join("data");
    tokio::fs::write(&data, b"a file").await.unwrap();
    let error = refusal(HubConfig::at(&data)).await;
    assert_eq!(error.code(), "data_directory");
    assert_helpful(&error, &data);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_told_and_left_alone() {
    let data = TempDir::new().unwrap();
    let path = data.path().join("svc.db");
    let content = "this is not a database ".repeat(1000);
    tokio::fs::write(&path, &content).await.unwrap();
    let error = refusal(HubConfig::at(data.path())).await;
    assert_eq!(error.code(), "storage_damaged");
    assert_helpful(&error, &path);
    assert_eq!(tokio::fs::read_to_string(&path).await.unwrap(), content);
}

#[tokio::test]
async fn a_file_that_another_program_has_locked_is_told() {
    let data = TempDir::new().unwrap();
    let path = data.path().join("svc.db");
    let foreign = rusqlite::Connection::open(&path).unwrap();
    foreign.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (a)").unwrap();
    let error = refusal(HubConfig::at(data.path())).await;
    assert_eq!(error.code(), "storage_unavailable");
    assert!(error.message().contains("locked by another program"), "{error}");
    assert_helpful(&error, &path);
}

#[tokio::test]
async fn a_postgres_server_that_is_not_there_is_told_without_its_password() {
    let data = TempDir::new().unwrap();
    let url = format!("postgres://ann:hunter2@localhost/svc?host={}", data.path().display());
    let error = refusal(HubConfig::at(data.path()).with_store(&url).unwrap()).await;
    assert_eq!(error.code(), "storage_unavailable");
    assert!(error.message().contains("postgres://localhost/svc cannot be reached"), "{error}");
    assert!(!error.log_line().contains("hunter2"), "{}", error.log_line());
}

#[tokio::test]
async fn addresses_that_make_no_sense_are_refused_by_name() {
    for url in ["mysql://localhost/svc", "postgres:svc", "sqlite:", "postgres://localhost:port/svc"] {
        let config = HubConfig::at(TempDir::new().unwrap().path()).with_store(url);
        let error = match config {
            Ok(config) => refusal(config).await,
            Err(error) => error,
        };
        assert_eq!(error.kind(), ErrorKind::Invalid, "{url}: {error}");
        assert_eq!(error.fields()[0].field, "database_url");
    }
}

async fn append(hub: &Hub, text: &str) -> svc_core::Result<svc_core::ids::EventSeq> {
    hub.events().append(NewEvent::new("test.text", &text)?).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_loses_nothing_and_is_left_behind() {
    let Some(disk) = SmallDisk::mount() else { return };
    let hub = Hub::open(HubConfig::at(disk.path())).await.unwrap();
    let filler = disk.path().join("filler");
    tokio::fs::write(&filler, vec![0; 3 * 1024 * 1024]).await.unwrap();
    let text = "x".repeat(10_000);
    let mut acknowledged = Vec::new();
    let error = loop {
        match append(&hub, &text).await {
            Ok(seq) => acknowledged.push(seq),
            Err(error) => break error,
        }
        assert!(acknowledged.len() < 2000, "the disk never fills");
    };
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "storage_full"), "{}", error.log_line());
    let readiness = hub.readiness().await;
    // A page or two may still fit, but what cannot be written must not be called ready.
    if !readiness.store.ok {
        assert_eq!(readiness.status, ReadyState::Unavailable);
    }
    assert_eq!(append(&hub, &text).await.unwrap_err().code(), "storage_full");
    tokio::fs::remove_file(&filler).await.unwrap();
    acknowledged.push(append(&hub, &text).await.unwrap());
    assert_eq!(hub.readiness().await.status, ReadyState::Ready);
    let stored = hub.events().read(svc_core::ids::EventSeq(0), 5000).await.unwrap();
    assert!(stored.iter().map(|event| event.seq).eq(acknowledged));
    let verdict = hub.db().read((), |tx, ()| {
        Box::pin(tx.query("SELECT integrity_check FROM pragma_integrity_check").fetch_value::<String>())
    });
    assert_eq!(verdict.await.unwrap(), "ok");
    hub.close().await;
}

/// A route of an embedding program that writes to the store.
fn keep() -> impl poem::Endpoint {
    make(|mut request: Request| async move {
        let state = request.data::<AppState>().expect("the server provides it").clone();
        let text = request.take_body().into_string().await?;
        let seq = append(state.hub(), &text).await.map_err(Problem::from)?;
        Ok::<_, poem::Error>(seq.to_string())
    })
    .map_to_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_a_full_disk_says_so_and_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount() else { return };
    let path = disk.path();
    let server = TestServer::start_with(move |mut config| {
        config.hub = HubConfig::at(&path);
        config.mount("/keep", keep())
    })
    .await;
    let filler = disk.path().join("filler");
    tokio::fs::write(&filler, vec![0; 3 * 1024 * 1024]).await.unwrap();
    let keep = async || server.request(reqwest::Method::POST, "/keep").body("x".repeat(10_000)).send().await.unwrap();
    let mut kept = 0;
    let refused = loop {
        let answer = keep().await;
        if answer.status() != 200 {
            break answer;
        }
        kept += 1;
        assert!(kept < 2000, "the disk never fills");
    };
    assert!(refused.headers().contains_key("retry-after"));
    problem(refused, 503, "storage_full").await;
    assert_eq!(server.get("/healthz").await.status(), 200);
    tokio::fs::remove_file(&filler).await.unwrap();
    assert_eq!(keep().await.status(), 200);
    assert_eq!(server.get("/readyz").await.status(), 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_turns_read_only_is_told_and_left_behind() {
    let Some(disk) = SmallDisk::mount() else { return };
    let hub = Hub::open(HubConfig::at(disk.path())).await.unwrap();
    append(&hub, "before").await.unwrap();
    hub.close().await;
    assert!(disk.run("mount", &["-o", "remount,ro"]));
    let error = refusal(HubConfig::at(disk.path())).await;
    assert_eq!(error.code(), "data_directory");
    assert!(error.message().contains("read-only"), "{error}");
    assert!(disk.run("mount", &["-o", "remount,rw"]));
    let hub = Hub::open(HubConfig::at(disk.path())).await.unwrap();
    append(&hub, "after").await.unwrap();
    hub.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_may_go_away_and_come_back() {
    if shared_cluster().is_none() {
        return;
    }
    let cluster = Cluster::start(FAST).unwrap();
    let data = TempDir::new().unwrap();
    let config = HubConfig::at(data.path()).with_store(&cluster.empty_database().await).unwrap();
    assert!(matches!(config.store, Some(StoreUrl::Postgres(_))));
    let hub = Hub::open(config).await.unwrap();
    let mut live = hub.events().subscribe(After::Now).await.unwrap();
    append(&hub, "before").await.unwrap();
    assert_eq!(soon("the first event", live.next()).await.unwrap().unwrap().payload.get(), "\"before\"");

    cluster.control("stop").unwrap();
    let error = soon("an answer without a server", append(&hub, "meanwhile")).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "storage_unavailable"), "{}", error.log_line());
    assert_eq!(soon("readiness without a server", hub.readiness()).await.status, ReadyState::Unavailable);

    cluster.control("start").unwrap();
    until("it works again", async || append(&hub, "after").await.ok()).await;
    until("it is ready again", async || (hub.readiness().await.status == ReadyState::Ready).then_some(())).await;
    let after = until("events flow again", async || soon("an event", live.next()).await.ok().flatten()).await;
    assert_eq!(after.payload.get(), "\"after\"");

    // A hub can be closed without its server, even with something left to write.
    cluster.control("stop").unwrap();
    hub.traces().record(svc_core::traces::NewTrace::new("test.last", svc_core::auth::Surface::Hub)).await.unwrap();
    soon("the close without a server", hub.close()).await;
    assert_eq!(hub.traces().counts().lost, 1);
}
