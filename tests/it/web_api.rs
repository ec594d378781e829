//! The web UI's copy of the API's description, from which its types are generated.

use std::path::Path;

use serde_json::Value;

use crate::support::server::TestServer;

const COPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/svc-http/web/src/lib/api/openapi.json");
/// `make web-api` sets it: the copy is written instead of compared.
const WRITE: &str = "SVC_WRITE_WEB_API";

#[tokio::test(flavor = "multi_thread")]
async fn the_web_ui_knows_the_api_as_it_is() {
    let server = TestServer::sqlite().await;
    let description = server.get_json("/openapi.json").await;
    server.stop().await;
    if std::env::var_os(WRITE).is_some() {
        let text = format!("{}\n", serde_json::to_string_pretty(&description).unwrap());
        tokio::fs::write(COPY, text).await.unwrap();
        return;
    }
    let copy: Value = serde_json::from_slice(&tokio::fs::read(Path::new(COPY)).await.unwrap()).unwrap();
    let same = copy == description;
    assert!(same, "the API's description has changed: run make web-api, make web, and commit what they write");
}
