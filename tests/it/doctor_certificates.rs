//! The ends of the certificates of https endpoints.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use svc_test_macros::both_engines;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;
use crate::support::wait::{PATIENCE, soon};

/// Valid from 2026-01-01 to 2026-02-01, signed by itself.
const CERTIFICATE: &str = "MIIBNjCB6aADAgECAgEBMAUGAytlcDAcMRowGAYDVQQDDBFob29rcy5leGFtcGxlLm9yZzAeFw0yNjAxMDEwMDAwMDBa\
                           Fw0yNjAyMDEwMDAwMDBaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUub3JnMCowBQYDK2VwAyEA6xs7QDnBhkUhV4xX\
                           fmMJ1DP/kVaic4hQ9GMpvXTY7a6jUDBOMCIGA1UdEQQbMBmCEWhvb2tzLmV4YW1wbGUub3JnhwR/AAABMAkGA1UdEwQC\
                           MAAwHQYDVR0OBBYEFJ1brcjKJQhS/QOcxK2XOyxVAdAtMAUGAytlcANBAHFiI6wrPPAVJXFFIRMl3fA80g2QdYV+Smh4\
                           ampFvCxi2WJ6n8RH1OqZue+m6N7lSX2njg4Teuel2qAp1tSqEQ4=";
const KEY: &str = "MC4CAQAwBQYDK2VwBCIEIKsI8Pc3038CqjlnQ3zQr3JI2etMovD660Fs8++z9IMr";

/// An https endpoint that takes what is sent to it, and answers nothing.
struct Endpoint {
    name: String,
    /// The bytes of each connection after its handshake.
    received: mpsc::UnboundedReceiver<Vec<u8>>,
    task: JoinHandle<()>,
}

impl Endpoint {
    async fn open() -> Self {
        rustls::crypto::ring::default_provider().install_default().ok();
        let certificate = CertificateDer::from(STANDARD.decode(CERTIFICATE).unwrap());
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(STANDARD.decode(KEY).unwrap()));
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let name = listener.local_addr().unwrap().to_string();
        let (sender, received) = mpsc::unbounded_channel();
        let task = tokio::spawn(serve(listener, Arc::new(config), sender));
        Self { name, received, task }
    }

    /// What somebody who connected has sent.
    async fn received(&mut self) -> Vec<u8> {
        soon("a connection", self.received.recv()).await.unwrap()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, config: Arc<ServerConfig>, sender: mpsc::UnboundedSender<Vec<u8>>) {
    loop {
        let stream = listener.accept().await.unwrap().0.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (tls, sender) = (ServerConnection::new(config.clone()).unwrap(), sender.clone());
        tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            // The handshake, and then everything until the end. A client that breaks off is seen by what it sent.
            StreamOwned::new(tls, stream).read_to_end(&mut bytes).ok();
            sender.send(bytes).ok();
        });
    }
}

/// The report, also when there is a problem.
async fn examined(server: &TestServer) -> Value {
    serde_json::from_str(&svc_admin(server, &["--output", "json", "doctor"]).await.stdout).unwrap()
}

/// The state and the summary of the finding.
fn told(report: &Value) -> (String, String) {
    let findings = report["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["check"] == "certificates").unwrap();
    let text = |field: &str| finding[field].as_str().unwrap().to_owned();
    (text("state"), text("summary"))
}

#[both_engines]
async fn the_end_of_a_certificate_is_told_in_time(server: TestServer) {
    let mut endpoint = Endpoint::open().await;
    let name = endpoint.name.clone();
    let ann = server.person("ann").await;
    server.create_agent(&ann, "scout").await;
    assert_eq!(told(&examined(&server).await), ("ok".into(), "The hub depends on no https endpoint.".into()));
    // Two webhooks on one host.
    let hook = server.hook(&ann, "scout", &format!("https://{name}/hook"), &["message.received"]).await;
    let other = server.hook(&ann, "scout", &format!("https://{name}/other"), &["message.received"]).await;
    server.work("certificate_watch").await;
    assert!(endpoint.received().await.is_empty(), "nothing is sent after the handshake");
    let report = examined(&server).await;
    let fine = "None of the certificates of 1 https endpoint ends soon.";
    assert_eq!(told(&report), ("ok".into(), fine.into()));
    let certificate = &report["certificates"][0];
    assert_eq!(certificate["endpoint"], name, "{report}");
    assert_eq!(certificate["ends_at"], "2026-02-01T00:00:00.000Z", "{report}");
    let text = server.get("/metrics").await.text().await.unwrap();
    assert!(text.contains("\ncertificate_first_end_timestamp_seconds 1769904000\n"), "{text}");

    server.clock.advance(Duration::from_hours(24 * 20));
    let (state, summary) = told(&examined(&server).await);
    let user = certificate["used_by"].as_str().unwrap();
    assert!(user.starts_with("webhook ") && user.ends_with(" of scout"), "{user}");
    assert_eq!(summary, format!("The certificate of {name} ({user}) ends in 11 days, on 2026-02-01."));
    assert_eq!(state, "warning");

    // One that has ended is still seen, so that a renewal would be noticed.
    server.clock.advance(Duration::from_hours(24 * 12));
    server.work("certificate_watch").await;
    assert!(endpoint.received().await.is_empty());
    let output = svc_admin(&server, &["--output", "json", "doctor"]).await;
    assert_eq!(output.code, 1, "{output:?}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let ended = format!("The certificate of {name} ({user}) ended on 2026-02-01.");
    assert_eq!(told(&report), ("problem".into(), ended));
    assert!(report["certificates"][0]["error"].is_null(), "{report}");
    assert_eq!(report["certificates"][0]["looked_at"], "2026-02-02T00:00:00.000Z", "{report}");

    // Webhooks that are disabled need no certificate.
    let ann = server.log_in("ann").await;
    for hook in [hook, other] {
        let path = format!("/api/webhooks/{}", hook["webhook"]["id"]);
        server.did(&ann, Method::PATCH, &path, json!({ "enabled": false })).await;
    }
    assert_eq!(told(&examined(&server).await).0, "ok");
    server.work("certificate_watch").await;
    assert_eq!(server.number("SELECT count(*) FROM certificates").await, 0);
    server.stop().await;
}

#[both_engines]
async fn an_endpoint_that_cannot_be_reached_is_no_problem_of_its_certificate(server: TestServer) {
    // Nobody listens there any more.
    let name = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().to_string();
    let ann = server.person("ann").await;
    server.create_agent(&ann, "scout").await;
    server.hook(&ann, "scout", &format!("https://{name}/hook"), &["message.received"]).await;
    server.work("certificate_watch").await;
    let report = examined(&server).await;
    let expected = "None of the known certificates of 1 https endpoint ends soon; not seen yet: 1.";
    assert_eq!(told(&report), ("ok".into(), expected.into()));
    assert_eq!(report["certificates"][0]["error"], "No connection could be made.", "{report}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_of_the_hub_is_looked_at_too() {
    let mut endpoint = Endpoint::open().await;
    let url = format!("https://{}", endpoint.name);
    let server = TestServer::start(move |config| config.hub.base_url = Some(url)).await;
    server.work("certificate_watch").await;
    assert!(endpoint.received().await.is_empty());
    let report = examined(&server).await;
    assert_eq!(report["certificates"][0]["used_by"], "the address of this hub", "{report}");
    assert_eq!(report["certificates"][0]["ends_at"], "2026-02-01T00:00:00.000Z", "{report}");
    server.stop().await;
}
