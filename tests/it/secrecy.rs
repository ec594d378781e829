//! What is secret is found nowhere: a server is used in every way that hands out or takes a secret,
//! at the most talkative log level, and then its log and its whole store are searched.

use std::fmt::Write as _;
use std::path::Path;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use svc_core::{Hub, HubConfig};
use tempfile::TempDir;

use crate::support::child::TestChild;
use crate::support::oauth::{BACK, CHALLENGE, VERIFIER};
use crate::support::postgres::shared_cluster;
use crate::support::wait::soon;

/// A server in use, and every secret that came up.
struct Use {
    client: Client,
    url: String,
    socket: String,
    /// What the browser shows that logged in last.
    browser: String,
    secrets: Vec<(&'static str, String)>,
}

impl Use {
    fn note(&mut self, what: &'static str, secret: &str) -> String {
        assert!(secret.len() >= 8, "{what}");
        self.secrets.push((what, secret.to_owned()));
        secret.to_owned()
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url)).header("Origin", &self.url)
    }

    async fn json(&self, request: RequestBuilder) -> Value {
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{} {}", answer.status(), answer.url().path());
        answer.json().await.unwrap()
    }

    async fn log_in(&mut self, username: &str, password: &str) -> String {
        let body = json!({ "username": username, "password": password });
        let request = self.request(Method::POST, "/auth/login").header("Cookie", &self.browser);
        let answer = request.json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        self.note("session", cookie.split_once('=').unwrap().1);
        let mut lines = answer.headers().get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
        let browser = lines.find_map(|line| line.strip_prefix("svc_device=")).unwrap();
        self.browser = format!("svc_device={}", self.note("known browser", browser.split(';').next().unwrap()));
        cookie
    }

    async fn admin(&self, arguments: &[&str], input: &str) -> Value {
        let arguments: Vec<String> = ["--socket", &self.socket, "--output", "json"]
            .iter()
            .chain(arguments)
            .map(|word| (*word).to_owned())
            .collect();
        let input = input.to_owned();
        let ran = tokio::task::spawn_blocking(move || {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            TestChild::run_with("svc-admin", &arguments, input.as_bytes())
        });
        let ran = soon("the command", ran).await.unwrap();
        serde_json::from_str(&ran.worked()).unwrap_or_default()
    }

    async fn people(&mut self, first_password: &str) -> String {
        self.note("first password", first_password);
        let wrong = self.note("wrong password", "a-password-that-is-wrong");
        let body = json!({ "username": "admin", "password": wrong });
        assert_eq!(self.request(Method::POST, "/auth/login").json(&body).send().await.unwrap().status(), 401);
        // A password in the wrong field is still a password.
        let body = json!({ "username": wrong.replace('-', "_"), "password": "whatever it is" });
        self.note("password as a name", &wrong.replace('-', "_"));
        assert_eq!(self.request(Method::POST, "/auth/login").json(&body).send().await.unwrap().status(), 401);
        self.log_in("admin", first_password).await;
        let made = self.admin(&["users", "create", "bob"], "").await;
        self.note("made password", made["password"].as_str().unwrap());
        let invite = self.admin(&["users", "invite"], "").await;
        let invite = self.note("invite", invite["invite"].as_str().or(invite["token"].as_str()).unwrap());
        let password = self.note("chosen password", "the-first-password-of-ann");
        let body = json!({ "invite": invite, "username": "ann", "password": password });
        self.json(self.request(Method::POST, "/auth/register").json(&body)).await;
        let cookie = self.log_in("ann", &password).await;
        let new = self.note("new password", "the-second-password-of-ann");
        let body = json!({ "current_password": password, "new_password": new });
        let changed = self.request(Method::PUT, "/auth/password").header("Cookie", &cookie).json(&body);
        assert_eq!(changed.send().await.unwrap().status(), 204);
        for (password, status) in [(&wrong, 401), (&new, 204)] {
            let confirmed = self.request(Method::POST, "/auth/confirm").header("Cookie", &cookie);
            let confirmed = confirmed.json(&json!({ "password": password })).send().await.unwrap();
            assert_eq!(confirmed.status(), status);
        }
        // The browser is known again, and is shown at the next login.
        self.log_in("ann", &new).await;
        self.log_in("ann", &new).await;
        cookie
    }

    async fn keys(&mut self, cookie: &str) {
        let agent = self
            .request(Method::POST, "/api/agents")
            .header("Cookie", cookie)
            .header("Idempotency-Key", "once")
            .json(&json!({ "name": "builder" }));
        let agent = self.json(agent).await;
        let key = self.note("agent key", agent["key"].as_str().unwrap());
        self.json(self.request(Method::GET, "/api/whoami").bearer_auth(&key)).await;
        let misplaced = self.note("secret in a query", "a-secret-in-the-wrong-place");
        self.json(self.request(Method::GET, &format!("/api/whoami?key={misplaced}")).bearer_auth(&key)).await;
        let rotated = self.request(Method::POST, "/api/agents/builder/rotate-key").header("Cookie", cookie);
        let rotated = self.json(rotated).await;
        let rotated = self.note("rotated key", rotated["key"].as_str().unwrap());
        let rotated_key = rotated.clone();
        let config = format!("/api/agents/builder/mcp-config?api_key={rotated}");
        self.json(self.request(Method::GET, &config).header("Cookie", cookie)).await;
        let config = format!("/api/agents/builder/mcp-config?api_key={misplaced}");
        let refused = self.request(Method::GET, &config).header("Cookie", cookie).send().await.unwrap();
        assert_eq!(refused.status(), 400);
        let managed = self
            .request(Method::POST, "/api/keys")
            .header("Cookie", cookie)
            .header("Idempotency-Key", "once")
            .json(&json!({ "name": "ci", "permissions": ["read"] }));
        let managed = self.json(managed).await;
        let managed = self.note("managed key", managed["key"].as_str().unwrap());
        self.json(self.request(Method::GET, "/api/whoami").bearer_auth(&managed)).await;
        let webhook = self
            .request(Method::POST, "/api/webhooks")
            .header("Cookie", cookie)
            .header("Idempotency-Key", "once")
            .json(&json!({ "agent": "builder", "url": "https://1.1.1.1/hook", "events": ["run.finished"] }));
        let webhook = self.json(webhook).await;
        self.note("webhook secret", webhook["secret"].as_str().unwrap());
        let rotate = format!("/api/webhooks/{}/rotate-secret", webhook["webhook"]["id"]);
        let rotated = self.json(self.request(Method::POST, &rotate).header("Cookie", cookie)).await;
        self.note("rotated webhook secret", rotated["secret"].as_str().unwrap());
        let own = self.note("own webhook secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let registered = json!({ "url": "https://1.1.1.1/own", "events": ["run.finished"], "secret": own });
        self.json(self.request(Method::POST, "/api/webhooks").bearer_auth(&rotated_key).json(&registered)).await;
        let value = self.note("secret", "the-value-of-a-secret");
        self.admin(&["secrets", "set", "API_TOKEN", "--scope", "user:ann"], &value).await;
        let by_admin = self.admin(&["agents", "create", "tester", "--owner", "ann"], "").await;
        self.note("key from the command line", by_admin["key"].as_str().unwrap());
        let config = self.admin(&["agents", "config", "tester", "--transport", "stdio", "--rotate"], "").await;
        let config: Value = serde_json::from_str(config["text"].as_str().unwrap()).unwrap();
        self.note("key in a configuration", config["mcpServers"]["svc"]["env"]["SVC_AGENT_KEY"].as_str().unwrap());
    }

    async fn oauth(&mut self, cookie: &str) {
        let metadata = json!({ "client_name": "Service", "redirect_uris": [BACK] });
        let client = self.json(self.request(Method::POST, "/oauth/register").json(&metadata)).await;
        let id = client["client_id"].as_str().unwrap().to_owned();
        let secret = self.note("client secret", client["client_secret"].as_str().unwrap());
        let wrong = self.note("wrong client secret", "svcs_that-is-not-the-one-of-this-client");
        let form = [("token", "svct_x")];
        let refused = self.request(Method::POST, "/oauth/introspect").basic_auth(&id, Some(&wrong)).form(&form);
        assert_eq!(refused.send().await.unwrap().status(), 401);
        let verifier = self.note("code verifier", VERIFIER);
        let form = [
            ("response_type", "code"),
            ("client_id", &id),
            ("redirect_uri", BACK),
            ("state", "xyz"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("decision", "allow"),
            ("agent", "builder"),
        ];
        let allowed =
            self.request(Method::POST, "/oauth/authorize").header("Cookie", cookie).form(&form).send().await.unwrap();
        assert_eq!(allowed.status(), 303);
        let back = url::Url::parse(allowed.headers()["location"].to_str().unwrap()).unwrap();
        let code = back.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
        let code = self.note("code", &code);
        let mut token: Option<String> = None;
        for _ in 0..2 {
            let form = match &token {
                None => vec![
                    ("grant_type", "authorization_code"),
                    ("code", code.as_str()),
                    ("code_verifier", verifier.as_str()),
                ],
                Some(refresh) => vec![("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())],
            };
            let request = self.request(Method::POST, "/oauth/token").basic_auth(&id, Some(&secret)).form(&form);
            let issued = self.json(request).await;
            let access = self.note("access token", issued["access_token"].as_str().unwrap());
            self.json(self.request(Method::GET, "/api/whoami").bearer_auth(&access)).await;
            token = Some(self.note("refresh token", issued["refresh_token"].as_str().unwrap()));
        }
        let form = [("token", token.as_deref().unwrap())];
        for path in ["/oauth/introspect", "/oauth/revoke"] {
            let answer =
                self.request(Method::POST, path).basic_auth(&id, Some(&secret)).form(&form).send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
        }
        let device = json!({ "client_name": "Device", "redirect_uris": [BACK], "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"] });
        let device = self.json(self.request(Method::POST, "/oauth/register").json(&device)).await;
        let form = [("client_id", device["client_id"].as_str().unwrap())];
        let code = self.json(self.request(Method::POST, "/oauth/device_authorization").form(&form)).await;
        self.note("device code", code["device_code"].as_str().unwrap());
    }

    /// Fails if any of the secrets is in there.
    fn search(&self, place: &str, bytes: &[u8]) {
        for (what, secret) in &self.secrets {
            // PostgreSQL prints bytes as hexadecimal digits.
            let mut hex = String::new();
            for byte in secret.bytes() {
                write!(hex, "{byte:02x}").unwrap();
            }
            for form in [secret.as_bytes(), hex.as_bytes()] {
                let found = bytes.windows(form.len()).any(|window| window == form);
                assert!(!found, "the {what} is in {place}");
            }
        }
    }
}

/// Uses a server on this store in every way; returns what is secret, and its log.
async fn use_everything(data: &Path, store: Option<&str>) -> (Use, Vec<u8>) {
    let path = data.display().to_string();
    let socket = format!("{path}/admin.sock");
    let mut arguments =
        vec!["--data", &path, "--listen", "127.0.0.1:0", "--admin-socket", &socket, "--log-level", "trace"];
    arguments.extend(store.map(|store| ["--database-url", store]).into_iter().flatten());
    let elsewhere = TempDir::new().unwrap();
    let log = elsewhere.path().join("log");
    let (server, url, said) = TestChild::server_with_log(&arguments, &log);
    let password = said.iter().find_map(|line| line.trim().strip_prefix("password: ")).unwrap().to_owned();
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let client = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut used = Use { client, url, socket, browser: String::new(), secrets: Vec::new() };
    let cookie = used.people(&password).await;
    used.keys(&cookie).await;
    used.oauth(&cookie).await;
    // Each of these actions has left a trace, which is searched with everything else.
    let traces = used.admin(&["traces", "stats"], "").await;
    assert!(traces["total"].as_i64().unwrap() >= 12, "{traces}");
    server.signal("TERM");
    soon("the end", tokio::task::spawn_blocking(move || server.wait())).await.unwrap();
    assert!(used.secrets.len() >= 25, "{}", used.secrets.len());
    let log = tokio::fs::read(&log).await.unwrap();
    assert!(String::from_utf8_lossy(&log).contains("token_refreshed"), "the log was talkative");
    (used, log)
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_the_log_nor_the_file_holds_a_secret() {
    let data = TempDir::new().unwrap();
    let (used, log) = use_everything(data.path(), None).await;
    used.search("the log", &log);
    let mut files = tokio::fs::read_dir(data.path()).await.unwrap();
    let mut searched = 0;
    while let Some(file) = files.next_entry().await.unwrap() {
        let name = file.file_name().into_string().unwrap();
        if name.starts_with("svc.db") {
            used.search(&name, &tokio::fs::read(file.path()).await.unwrap());
            searched += 1;
        }
    }
    assert!(searched >= 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_the_log_nor_any_table_holds_a_secret() {
    let Some(cluster) = shared_cluster() else { return };
    let data = TempDir::new().unwrap();
    let store = cluster.new_database().await;
    let (used, log) = use_everything(data.path(), Some(&store)).await;
    used.search("the log", &log);
    let hub = Hub::open(HubConfig::at(data.path()).with_store(&store).unwrap()).await.unwrap();
    let tables: Vec<(String,)> = hub
        .db()
        .read((), |tx, ()| {
            let text = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'";
            Box::pin(tx.query(text).fetch_all())
        })
        .await
        .unwrap();
    assert!(tables.len() >= 20);
    for (table,) in tables {
        let rows: Vec<(String,)> = hub
            .db()
            .read(table.clone(), |tx, table| {
                Box::pin(tx.query(format!("SELECT CAST(row_to_json(t) AS TEXT) FROM {table} t")).fetch_all())
            })
            .await
            .unwrap();
        for (row,) in rows {
            used.search(&table, row.as_bytes());
        }
    }
    hub.close().await;
}
