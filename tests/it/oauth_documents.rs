//! Clients that are described by a document, as browsers and programs meet them: who has one read, how many
//! at a time, and that nobody else waits for it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::oauth::ClientDocuments;
use svc_core::{Error, Result, limits};
use svc_test_macros::both_engines;
use tokio::sync::{Semaphore, watch};
use url::Url;

use crate::support::clock::TestClock;
use crate::support::oauth::{BACK, VERIFIER};
use crate::support::oauth_http::{allow, asked, changed, encoded, parameter, post, public_client, refused, show};
use crate::support::people::Person;
use crate::support::postgres::shared_cluster;
use crate::support::server::TestServer;
use crate::support::wait::soon;

/// Documents of hosts that answer at once (`app.example`), only when they are let (`slow.example`), or never
/// (`down.example`).
struct Hosts {
    begun: watch::Sender<usize>,
    gate: Semaphore,
    redirect_uris: Value,
}

#[async_trait]
impl ClientDocuments for Hosts {
    async fn fetch(&self, address: &Url) -> Result<Vec<u8>> {
        self.begun.send_modify(|count| *count += 1);
        if address.host_str() == Some("slow.example") {
            self.gate.acquire().await.map_err(|_| Error::unavailable("fetch_failed", "It never answered."))?.forget();
        }
        if address.host_str() == Some("down.example") && *self.begun.borrow() > 1 {
            return Err(Error::unavailable("fetch_failed", "Nobody answers."));
        }
        let document =
            json!({ "client_id": address.as_str(), "client_name": "App", "redirect_uris": self.redirect_uris });
        Ok(document.to_string().into_bytes())
    }
}

/// A server that reads documents from these hosts.
struct DocumentServer {
    server: TestServer,
    clock: Arc<TestClock>,
    hosts: Arc<Hosts>,
}

impl DocumentServer {
    async fn sqlite() -> Self {
        Self::start(None, json!([BACK])).await
    }

    async fn postgres() -> Option<Self> {
        let url = shared_cluster()?.new_database().await;
        Some(Self::start(Some(url), json!([BACK])).await)
    }

    async fn start(url: Option<String>, redirect_uris: Value) -> Self {
        let hosts = Arc::new(Hosts { begun: watch::Sender::new(0), gate: Semaphore::new(0), redirect_uris });
        let clock = Arc::new(TestClock::new());
        let (of_hub, documents) = (clock.clone(), hosts.clone());
        let server = TestServer::start_with(move |mut config| {
            if let Some(url) = url {
                config.hub = config.hub.clone().with_store(&url).unwrap();
            }
            config.assemble_hub(move |builder| builder.clock(of_hub).client_documents(documents))
        })
        .await;
        Self { server, clock, hosts }
    }

    fn reads(&self) -> usize {
        *self.hosts.begun.borrow()
    }

    /// What a person's browser at this address is shown for a client.
    fn page(&self, person: &Person, address: &str, client_id: &str) -> impl Future<Output = Response> + Send + use<> {
        let path = format!("/oauth/authorize?{}", encoded(&asked(&self.server, client_id)));
        let request = self.server.request_as(person, Method::GET, &path).header("X-Forwarded-For", address);
        async move { request.send().await.unwrap() }
    }
}

fn id(host: &str, number: usize) -> String {
    format!("https://{host}/clients/{number}.json")
}

#[both_engines]
async fn slow_documents_keep_nobody_else_waiting(test: DocumentServer) {
    let ann = test.server.person("ann").await;
    let registered = public_client(&test.server).await;
    assert_eq!(test.page(&ann, "198.51.100.1", &id("app.example", 0)).await.status(), 200);
    let mut waiting = Vec::new();
    for number in 0..8 {
        let address = format!("198.51.100.{}", number / limits::OAUTH_DOCUMENTS_AT_ONCE_BY_ADDRESS);
        waiting.push(tokio::spawn(test.page(&ann, &address, &id("slow.example", number))));
    }
    soon("eight documents are being read", test.hosts.begun.subscribe().wait_for(|count| *count == 9)).await.unwrap();
    // The address that waits already has to wait; everybody else goes on, and so does it with clients
    // that are known.
    let refused = soon("an answer", test.page(&ann, "198.51.100.1", &id("slow.example", 9))).await;
    assert_eq!((refused.status().as_u16(), test.reads()), (429, 9));
    assert!(refused.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
    for (address, client_id) in
        [("198.51.100.1", registered), ("198.51.100.1", id("app.example", 0)), ("203.0.113.7", id("app.example", 1))]
    {
        let page = soon("a page", test.page(&ann, address, &client_id)).await;
        assert_eq!(page.status(), 200, "{client_id}");
    }
    test.hosts.gate.add_permits(8);
    for page in waiting {
        assert_eq!(soon("a slow page", page).await.unwrap().status(), 200);
    }
    // Those who went away have left their places.
    assert_eq!(test.page(&ann, "198.51.100.1", &id("app.example", 2)).await.status(), 200);
    test.server.stop().await;
}

#[both_engines]
async fn an_address_can_have_so_many_documents_read_in_a_minute(test: DocumentServer) {
    let ann = test.server.person("ann").await;
    let most = usize::try_from(limits::OAUTH_DOCUMENTS_PER_MINUTE).unwrap();
    for number in 0..most {
        assert_eq!(test.page(&ann, "198.51.100.1", &id("app.example", number)).await.status(), 200);
    }
    assert_eq!(test.page(&ann, "198.51.100.1", &id("app.example", most)).await.status(), 429);
    assert_eq!(test.page(&ann, "198.51.100.1", &id("app.example", 0)).await.status(), 200, "it is known");
    assert_eq!(test.page(&ann, "198.51.100.2", &id("app.example", most)).await.status(), 200);
    assert_eq!(test.reads(), most + 1);
    test.clock.advance(Duration::from_mins(1));
    assert_eq!(test.page(&ann, "198.51.100.1", &id("app.example", most + 1)).await.status(), 200);
    test.server.stop().await;
}

#[both_engines]
async fn only_a_human_who_is_logged_in_has_a_document_read(test: DocumentServer) {
    let client_id = id("app.example", 0);
    let exchange =
        [("grant_type", "authorization_code"), ("code", "x"), ("code_verifier", VERIFIER), ("client_id", &client_id)];
    let refresh = [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", &client_id)];
    let token = [("token", "x"), ("client_id", &client_id)];
    for (path, form) in [
        ("/oauth/token", &exchange[..]),
        ("/oauth/token", &refresh),
        ("/oauth/introspect", &token),
        ("/oauth/revoke", &token),
        ("/oauth/device_authorization", &token[1..]),
    ] {
        refused(post(&test.server, path, form).await, 401, "invalid_client").await;
    }
    let away = test.server.get(&format!("/oauth/authorize?{}", encoded(&asked(&test.server, &client_id)))).await;
    assert_eq!((away.status().as_u16(), test.reads()), (303, 0));
    let ann = test.server.person("ann").await;
    test.server.create_agent(&ann, "builder").await;
    assert_eq!(test.page(&ann, "198.51.100.1", &client_id).await.status(), 200);
    // Now it is known, and nothing is read for it.
    refused(post(&test.server, "/oauth/token", &refresh).await, 400, "invalid_grant").await;
    let back = allow(&test.server, &ann, asked(&test.server, &client_id), "builder").await;
    let code = parameter(back.headers()["location"].to_str().unwrap(), "code").unwrap();
    test.clock.advance(limits::OAUTH_CODE_TTL.checked_sub(Duration::from_secs(1)).unwrap());
    let exchange = [
        &[("code", code.as_str())][..],
        &exchange.map(|pair| if pair.0 == "code" { ("redirect_uri", BACK) } else { pair }),
    ]
    .concat();
    assert_eq!(post(&test.server, "/oauth/token", &exchange).await.status(), 200);
    assert_eq!(test.reads(), 1);
    test.server.stop().await;
}

#[both_engines]
async fn a_client_stays_known_while_its_document_cannot_be_read(test: DocumentServer) {
    let ann = test.server.person("ann").await;
    let client_id = id("down.example", 0);
    assert_eq!(test.page(&ann, "198.51.100.1", &client_id).await.status(), 200);
    test.clock.advance(limits::OAUTH_DOCUMENT_TTL);
    assert_eq!(test.page(&ann, "198.51.100.1", &client_id).await.status(), 200);
    assert_eq!(test.reads(), 2, "it was tried");
    assert_eq!(test.page(&ann, "198.51.100.1", &id("down.example", 1)).await.status(), 400);
    test.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_cannot_name_an_address_that_starts_a_program() {
    let test = DocumentServer::start(None, json!(["ms-msdt://id", "https://*.app.example/cb", BACK])).await;
    let ann = test.server.person("ann").await;
    let whole = asked(&test.server, &id("app.example", 0));
    assert_eq!(show(&test.server, &ann, &whole).await.status(), 200);
    for address in ["ms-msdt://id", "https://*.app.example/cb", "https://a.app.example/cb"] {
        let answer = show(&test.server, &ann, &changed(whole.clone(), "redirect_uri", Some(address))).await;
        assert_eq!((answer.status().as_u16(), answer.headers().get("location")), (400, None), "{address}");
    }
    test.server.stop().await;
    let test = DocumentServer::start(None, json!(["search-ms://query=x"])).await;
    let ann = test.server.person("ann").await;
    let whole = changed(asked(&test.server, &id("app.example", 0)), "redirect_uri", Some("search-ms://query=x"));
    assert_eq!(show(&test.server, &ann, &whole).await.status(), 400);
    test.server.stop().await;
}
