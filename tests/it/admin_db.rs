//! `svc-admin db check`: what is wrong with a store, told apart, with a server and without.

use svc_core::db::{Engine, StoreUrl};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::child::TestChild;
use crate::support::server::TestServer;

/// The command with which the store of this server is looked over without it.
fn offline(server: &TestServer) -> Vec<String> {
    let config = server.hub.config();
    let mut arguments: Vec<String> = ["db", "check", "--offline", "--data"].map(str::to_owned).to_vec();
    arguments.push(config.data.display().to_string());
    if let Some(StoreUrl::Postgres(url)) = &config.store {
        arguments.extend(["--database-url".to_owned(), url.clone()]);
    }
    arguments
}

fn run(arguments: &[String]) -> crate::support::child::Ran {
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    TestChild::run_with("svc-admin", &arguments, b"")
}

#[both_engines]
async fn what_is_wrong_with_the_schema_is_told_apart(server: TestServer) {
    assert!(svc_admin(&server, &["db", "check"]).await.worked().contains("The store is sound"));
    server
        .execute(
            "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, '9999_later', '', 0)",
        )
        .await;
    let newer = svc_admin(&server, &["db", "check"]).await;
    assert_eq!(newer.code, 1, "{newer:?}");
    let words = newer.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("A newer version has migrated this store") && words.contains("9999_later"), "{words}");
    assert!(!words.contains("backup") && words.contains("of another version"), "{words}");
    server.execute("DELETE FROM schema_migrations WHERE version IN (9, 9999)").await;
    let missing = svc_admin(&server, &["db", "check"]).await;
    let words = missing.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(missing.code == 1 && words.contains("0009_mention_copies is missing"), "{missing:?}");
    assert!(words.contains("db migrate") && !words.contains("backup"), "{words}");
    server.stop().await;
}

#[both_engines]
async fn a_store_is_looked_over_without_a_server(server: TestServer) {
    let arguments = offline(&server);
    // Beside it, and after it.
    assert!(run(&arguments).worked().contains("The store is sound"));
    server
        .execute(
            "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, '9999_later', '', 0)",
        )
        .await;
    let data = server.stop().await;
    let report = run(&[arguments.clone(), vec!["--output".to_owned(), "json".to_owned()]].concat());
    assert_eq!(report.code, 1, "{report:?}");
    assert!(report.stdout.contains("A newer version has migrated this store"), "{report:?}");
    drop(data);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_file_and_a_missing_one_are_told_without_a_server() {
    let server = TestServer::sqlite().await;
    assert_eq!(server.hub.db().engine(), Engine::Sqlite);
    let arguments = offline(&server);
    let data = server.stop().await;
    let path = data.path().join("svc.db");
    let mut content = tokio::fs::read(&path).await.unwrap();
    for byte in &mut content[8192..] {
        *byte = 0xa5;
    }
    tokio::fs::write(&path, &content).await.unwrap();
    let damaged = run(&arguments);
    assert!(damaged.code == 1 && damaged.stdout.contains("restore the latest backup"), "{damaged:?}");
    assert_eq!(tokio::fs::read(&path).await.unwrap(), content, "it is left alone");
    tokio::fs::write(&path, "this is no database ".repeat(1000)).await.unwrap();
    let foreign = run(&arguments);
    assert!(foreign.code == 1 && foreign.stdout.contains("is not a database"), "{foreign:?}");
    tokio::fs::remove_file(&path).await.unwrap();
    run(&arguments).refused(1, "There is no store at");
    assert!(!path.exists());
}
