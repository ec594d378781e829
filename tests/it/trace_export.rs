//! Exports of traces: whole documents that other programs can read, or none at all.

use futures_util::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::auth::Surface;
use svc_core::ids::UserId;
use svc_core::traces::NewTrace;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::traces::breaks_off;
use crate::support::wait::soon;

/// More than twenty pages.
const MANY: usize = 10_030;

/// What a spreadsheet or a careless reader would stumble over.
const ODD: [&str; 8] = [
    "=HYPERLINK(\"http://evil.example\",\"click\")",
    "+1+1",
    "-2",
    "@SUM(A1:A9)",
    "\tindented",
    "\rreturned",
    "says \"no\", twice\nand on",
    "schön, 漢字 🎉",
];

impl TestServer {
    async fn export(&self, person: &Person, query: &str) -> reqwest::Response {
        let answer = self.request_as(person, Method::GET, &format!("/api/traces/export{query}")).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer
    }

    /// Records so many traces with details of so many bytes.
    async fn fill_traces(&self, owner: UserId, count: usize, size: usize) {
        let padding = "x".repeat(size);
        for number in 0..count {
            let details = serde_json::value::to_raw_value(&json!({ "number": number, "padding": padding })).unwrap();
            let odd = ODD[number % ODD.len()].to_owned();
            let trace = NewTrace {
                owner: Some(owner),
                agent: Some(odd.clone()),
                details: Some(details),
                error: (number % 2 == 1).then_some(odd),
                ..NewTrace::new("fill", Surface::Hub)
            };
            self.hub.traces().record(trace).await.unwrap();
        }
        self.hub.traces().flush().await.unwrap();
    }
}

fn numbers<'a>(details: impl Iterator<Item = &'a Value>) -> Vec<usize> {
    details.map(|details| usize::try_from(details["number"].as_u64().unwrap()).unwrap()).collect()
}

#[both_engines]
async fn an_export_of_many_is_valid_and_has_each_once(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.fill_traces(test.owner_id(&bob).await, 10, 0).await;
    test.fill_traces(test.owner_id(&ann).await, MANY, 0).await;

    let answer = test.export(&ann, "?format=json").await;
    assert_eq!(answer.headers()["content-type"], "application/json; charset=utf-8");
    assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"traces-2026-01-01.json\"");
    let traces: Vec<Value> = answer.json().await.unwrap();
    assert_eq!(numbers(traces.iter().map(|trace| &trace["details"])), (0..MANY).collect::<Vec<_>>(), "oldest first");
    assert!(traces.iter().enumerate().all(|(number, trace)| trace["agent"] == ODD[number % ODD.len()]));
    assert_eq!(traces.iter().filter(|trace| trace.get("error").is_some()).count(), MANY / 2);

    let answer = test.export(&ann, "?format=csv").await;
    assert_eq!(answer.headers()["content-type"], "text/csv; charset=utf-8; header=present");
    assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"traces-2026-01-01.csv\"");
    let text = answer.text().await.unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(
        reader.headers().unwrap().iter().collect::<Vec<_>>().join(","),
        "id,created_at,owner_id,owner,agent,action,surface,request_id,duration_ms,error,details"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let details: Vec<Value> = rows.iter().map(|row| serde_json::from_str(&row[10]).unwrap()).collect();
    assert_eq!(numbers(details.iter()), (0..MANY).collect::<Vec<_>>());
    for (number, row) in rows.iter().enumerate() {
        let odd = ODD[number % ODD.len()];
        let guarded = if number % ODD.len() < 6 { format!("'{odd}") } else { odd.to_owned() };
        assert_eq!((&row[4], &row[9]), (guarded.as_str(), if number % 2 == 1 { guarded.as_str() } else { "" }));
        assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{row:?}");
    }
    test.stop().await;
}

#[both_engines]
async fn an_export_of_nothing_is_a_document_too(test: TestServer) {
    let ann = test.person("ann").await;
    assert_eq!(test.export(&ann, "").await.json::<Value>().await.unwrap(), json!([]));
    let csv = test.export(&ann, "?format=csv&agent=nobody").await.text().await.unwrap();
    assert_eq!(csv, "id,created_at,owner_id,owner,agent,action,surface,request_id,duration_ms,error,details\r\n");
    let head = test.request_as(&ann, Method::HEAD, "/api/traces/export").send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.bytes().await.unwrap().len()), (200, 0));
    test.stop().await;
}

#[both_engines]
async fn a_compressed_export_is_the_same(test: TestServer) {
    let ann = test.person("ann").await;
    test.fill_traces(test.owner_id(&ann).await, 700, 0).await;
    let plain = test.export(&ann, "").await.bytes().await.unwrap();
    let request = test.request_as(&ann, Method::GET, "/api/traces/export").header("Accept-Encoding", "gzip");
    let answer = request.send().await.unwrap();
    assert_eq!(answer.headers()["content-encoding"], "gzip");
    let packed = answer.bytes().await.unwrap();
    assert!(packed.starts_with(&[0x1f, 0x8b]) && packed.len() < plain.len() / 4, "{} of {}", packed.len(), plain.len());
    test.stop().await;
}

#[both_engines]
async fn an_export_that_fails_in_the_middle_breaks_off(test: TestServer) {
    let ann = test.person("ann").await;
    // More than the buffers between the server and a reader that does not read can hold.
    test.fill_traces(test.owner_id(&ann).await, 3000, 16_000).await;
    for format in ["json", "csv"] {
        let mut body = test.export(&ann, &format!("?format={format}")).await.bytes_stream();
        soon("the beginning", body.next()).await.unwrap().unwrap();
        let rename = |text| test.hub.db().write(text, |tx, text: &&'static str| Box::pin(tx.query(*text).execute()));
        rename("ALTER TABLE traces RENAME TO traces_elsewhere").await.unwrap();
        assert!(breaks_off(&mut body).await, "it looks complete");
        rename("ALTER TABLE traces_elsewhere RENAME TO traces").await.unwrap();
    }
    test.stop().await;
}

#[both_engines]
async fn an_export_that_the_servers_stop_cuts_short_breaks_off(test: TestServer) {
    let mut test = test;
    let ann = test.person("ann").await;
    test.fill_traces(test.owner_id(&ann).await, 3000, 16_000).await;
    let bodies: Vec<_> = {
        let (json, csv) = (test.export(&ann, "?format=json").await, test.export(&ann, "?format=csv").await);
        vec![json.bytes_stream(), csv.bytes_stream()]
    };
    test.begin_to_stop();
    for mut body in bodies {
        assert!(breaks_off(&mut body).await, "it looks complete");
    }
    test.stopped().await;
}
