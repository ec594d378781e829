//! `svc-admin traces`, against the server as it is shipped.

use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::admin::{lines, svc_admin};
use crate::support::server::TestServer;

/// More traces than a page holds.
const MANY: usize = 205;

#[both_engines]
async fn old_traces_are_counted_and_removed(server: TestServer) {
    let bob = server.person("bob").await;
    let owner = server.owner_id(&bob).await;
    for _ in 0..3 {
        server.record(owner, "minion", "plan").await;
    }
    server.hub.traces().flush().await.unwrap();
    server.clock.advance(std::time::Duration::from_hours(8 * 24));
    server.record(owner, "minion", "later").await;
    let purge = ["traces", "purge", "--older-than", "7d"];
    let counted = svc_admin(&server, &[&purge[..], &["--dry-run"]].concat()).await.worked();
    assert!(counted.starts_with("Would be removed"), "{counted}");
    svc_admin(&server, &purge).await.refused(2, "--yes");
    let plans = async || svc_admin(&server, &["traces", "stats", "--action", "plan", "--output", "json"]).await.json();
    assert_eq!(plans().await["total"], 3);
    let purged = svc_admin(&server, &[&purge[..], &["--yes", "--output", "json"]].concat()).await.json();
    assert!(purged["removed"].as_u64() >= Some(3), "{purged}");
    assert_eq!(plans().await["total"], 0);
    let later = svc_admin(&server, &["traces", "stats", "--action", "later", "--output", "json"]).await.json();
    assert_eq!(later["total"], 1);
    svc_admin(&server, &["traces", "purge", "--older-than", "soon", "--yes"]).await.refused(2, "has no number");
    server.stop().await;
}

#[both_engines]
async fn everybodys_traces_are_listed_with_their_owners(server: TestServer) {
    let (ann, bob) = (server.person("ann").await, server.person("bob").await);
    server.create_agent(&ann, "scout").await;
    server.record(server.owner_id(&bob).await, "minion", "plan").await;
    svc_admin(&server, &["users", "create", "ann"]).await.refused(1, "taken");
    let table = svc_admin(&server, &["traces", "list"]).await.worked();
    let rows: Vec<_> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(rows[0][2..], ["OWNER", "AGENT", "ACTION", "DOOR", "MS", "ERROR"]);
    assert_eq!((rows[1][2], rows[1][4], rows[1][5], rows[1][7]), ("-", "users.create", "admin", "handle_taken"));
    assert_eq!((rows[2][2], rows[2][3], rows[2][4]), ("bob", "minion", "plan"));
    assert_eq!((rows[3][2], rows[3][3], rows[3][4]), ("ann", "-", "create_agent"));

    let failed = svc_admin(&server, &["traces", "list", "--errors", "--output", "json"]).await.json();
    assert_eq!(failed["traces"].as_array().unwrap().len(), 1, "{failed}");
    assert_eq!(failed["traces"][0]["surface"], "admin");
    let of_agent = svc_admin(&server, &["traces", "list", "--agent", "minion", "--output", "json"]).await.json();
    assert_eq!(of_agent["traces"][0]["action"], "plan", "{of_agent}");
    let page = svc_admin(&server, &["traces", "list", "--action", "traces.list", "--limit", "1"]).await;
    let cursor = page.stderr.split_whitespace().nth(1).unwrap().to_owned();
    let next = ["traces", "list", "--action", "traces.list", "--limit", "1", "--cursor", &cursor, "--output", "json"];
    assert_eq!(svc_admin(&server, &next).await.json()["traces"].as_array().unwrap().len(), 1);
    let none = svc_admin(&server, &["traces", "list", "--since", "2026-01-02"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("traces stats"), "{none:?}");
    // Scripts of earlier versions say it in other words.
    for [since, until] in [["--since", "--until"], ["--after", "--before"]] {
        let inverted = ["traces", "list", since, "2026-01-02", until, "2026-01-01"];
        svc_admin(&server, &inverted).await.refused(2, "--until must be later than --since");
        let early = ["traces", "stats", "--action", "plan", until, "2026-01-01T00:00:00Z", "--output", "json"];
        assert_eq!(svc_admin(&server, &early).await.json()["total"], 0);
        svc_admin(&server, &["traces", "list", since, "yesterday"])
            .await
            .refused(2, "'--since <TIME>': write how long");
    }
    svc_admin(&server, &["traces", "list", "--cursor", "x"]).await.refused(1, "--cursor");

    let stats = svc_admin(&server, &["traces", "stats", "--action", "plan", "--output", "json"]).await.json();
    assert_eq!(stats, json!({ "total": 1, "errors": 0, "actions": [{ "action": "plan", "count": 1, "errors": 0 }] }));
    assert!(svc_admin(&server, &["traces", "stats"]).await.worked().starts_with("ACTION"));
    server.stop().await;
}

#[both_engines]
async fn an_export_has_every_trace_once(server: TestServer) {
    let owner = server.owner_id(&server.person("ann").await).await;
    for _ in 0..MANY {
        server.record(owner, "=scout", "fill").await;
    }
    let whole = svc_admin(&server, &["traces", "export", "--agent", "=scout"]).await;
    assert!(whole.stderr.contains(&format!("Wrote {MANY} entries")), "{}", whole.stderr);
    let ids: Vec<_> = lines(&whole.worked()).iter().map(|trace| trace["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), MANY);
    assert!(ids.is_sorted_by(|one, other| one > other), "newest first, nothing twice");
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("traces.csv").display().to_string();
    let told = svc_admin(&server, &["traces", "export", "--action", "fill", "--format", "csv", "--file", &file]).await;
    assert_eq!(told.worked(), format!("Wrote {MANY} entries to {file}.\n"));
    let text = tokio::fs::read_to_string(&file).await.unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), MANY);
    assert!(rows.iter().all(|row| &row[3] == "ann" && &row[4] == "'=scout"));
    server.stop().await;
}
