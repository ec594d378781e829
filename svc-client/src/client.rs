//! The connection to a hub: its address, the credential, and the requests.

use std::time::Duration;

use http::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue, ORIGIN, RETRY_AFTER};
use http::{Method, StatusCode};
use reqwest::{RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::error::{ClientError, Problem};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Timeout of a request, until its response has been read.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Timeout of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeouts of a program that a person waits for: of connecting, and of a request.
const INTERACTIVE: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(15));
/// Maximum size of a response, in bytes; a full page of the largest messages is smaller.
const ANSWER_MAX: usize = 64 << 20;
/// Maximum number of attempts at a request that is safe to repeat.
const ATTEMPTS: u32 = 4;
/// Longest wait before the next attempt, whatever the hub asks for.
const WAIT_MAX: Duration = Duration::from_secs(20);

/// A client of a hub, with its credential. Clones share connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    pub(crate) credential: Credential,
    attempts: u32,
    pub(crate) timeout: Duration,
}

/// The credential of the requests.
#[derive(Clone)]
pub(crate) enum Credential {
    /// No credential.
    None,
    /// A key or a token: the header `Authorization`.
    Bearer(HeaderValue),
    /// A login session: the header `Cookie`.
    Session(HeaderValue),
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Client").field("base", &self.base.as_str()).finish_non_exhaustive()
    }
}

impl Client {
    /// Creates a client of the hub at this address, such as `https://hub.example`.
    pub fn new(address: &str) -> Result<Self, ClientError> {
        Self::with_http(address, build(CONNECT_TIMEOUT, concat!("svc-client/", env!("CARGO_PKG_VERSION")))?)
    }

    /// Creates a client for a program that a person waits for: it gives up soon, and repeats nothing. The hub lists
    /// the logins of the program under this name, such as `svc-tui/1.0`. See [`Client::new`].
    pub fn interactive(address: &str, program: &str) -> Result<Self, ClientError> {
        let client = Self::with_http(address, build(INTERACTIVE.0, program)?)?;
        Ok(Self { timeout: INTERACTIVE.1, ..client }.without_repeats())
    }

    /// Creates a client with a custom HTTP client, for a proxy or custom certificates. See [`Client::new`].
    pub fn with_http(address: &str, http: reqwest::Client) -> Result<Self, ClientError> {
        let mut base = Url::parse(address).map_err(|error| ClientError::Address(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(ClientError::Address("it must be an http or https URL with a host".to_owned()));
        }
        base.set_query(None);
        base.set_fragment(None);
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Ok(Self { http, base, credential: Credential::None, attempts: ATTEMPTS, timeout: TIMEOUT })
    }

    /// Sets the API key or token of all further requests.
    #[must_use]
    pub fn with_key(mut self, key: &str) -> Self {
        self.credential = Credential::Bearer(secret_header(&format!("Bearer {key}"), "Bearer invalid"));
        self
    }

    /// Makes every request once. By default, one that is safe to repeat is repeated a few times.
    #[must_use]
    pub fn without_repeats(mut self) -> Self {
        self.attempts = 1;
        self
    }

    pub(crate) fn has_session(&self) -> bool {
        matches!(self.credential, Credential::Session(_))
    }

    /// The client without its credential.
    pub(crate) fn without_credential(&self) -> Self {
        Self { credential: Credential::None, ..self.clone() }
    }

    /// The address of the hub.
    pub fn address(&self) -> &Url {
        &self.base
    }

    /// Makes a GET request.
    pub async fn get<T: DeserializeOwned>(&self, path: &[&str], query: &[(&str, &str)]) -> Result<T, ClientError> {
        let response = self.repeated(|| self.request(Method::GET, path, query)).await?;
        read(response).await
    }

    /// Makes a request that changes something. With an idempotency key the change happens once, however often
    /// the request is sent, and the request is repeated when the hub does not answer.
    pub async fn change<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        body: &impl Serialize,
        idempotency_key: Option<&str>,
    ) -> Result<T, ClientError> {
        read(self.send_change(method, path, body, idempotency_key).await?).await
    }

    /// Makes a request whose response has no body. See [`Client::change`].
    pub async fn command(
        &self,
        method: Method,
        path: &[&str],
        body: &impl Serialize,
        idempotency_key: Option<&str>,
    ) -> Result<(), ClientError> {
        self.send_change(method, path, body, idempotency_key).await.map(drop)
    }

    async fn send_change(
        &self,
        method: Method,
        path: &[&str],
        body: &impl Serialize,
        idempotency_key: Option<&str>,
    ) -> Result<Response, ClientError> {
        let request = || {
            let request = self.request(method.clone(), path, &[])?.json(body);
            Ok(match idempotency_key {
                Some(key) => request.header(IDEMPOTENCY_KEY, key),
                None => request,
            })
        };
        if idempotency_key.is_some() || matches!(method, Method::PUT | Method::DELETE) {
            self.repeated(request).await
        } else {
            self.once(request()?).await
        }
    }

    /// Builds a request to this path, with the credential. Segments and parameters are escaped.
    pub fn request(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<RequestBuilder, ClientError> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| ClientError::Address("it cannot have a path".to_owned()))?
            .pop_if_empty()
            .extend(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let request = self.http.request(method, url);
        Ok(match &self.credential {
            Credential::None => request,
            Credential::Bearer(value) => request.header(AUTHORIZATION, value.clone()),
            // A change with a session has to name the origin that it comes from.
            Credential::Session(value) => {
                request.header(COOKIE, value.clone()).header(ORIGIN, self.base.origin().ascii_serialization())
            }
        })
    }

    pub(crate) async fn once(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let response = request.timeout(self.timeout).send().await.map_err(ClientError::Transport)?;
        if response.status().is_success() { Ok(response) } else { Err(read_problem(response).await) }
    }

    async fn repeated(
        &self,
        request: impl Fn() -> Result<RequestBuilder, ClientError>,
    ) -> Result<Response, ClientError> {
        let mut attempt = 1;
        loop {
            match self.once(request()?).await {
                Err(error) if attempt < self.attempts && is_retryable(&error) => {
                    let usual = Duration::from_millis(250) * 2_u32.pow(attempt);
                    tokio::time::sleep(error.retry_after().unwrap_or(usual).min(WAIT_MAX)).await;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }

    /// Opens a response that may be long: the time limit is for its beginning only.
    pub(crate) async fn open(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let begun = tokio::time::timeout(self.timeout, request.send()).await.map_err(|_| ClientError::Timeout)?;
        let response = begun.map_err(ClientError::Transport)?;
        if response.status().is_success() { Ok(response) } else { Err(read_problem(response).await) }
    }
}

#[expect(clippy::disallowed_methods, reason = "the program chooses the address, not a stranger")]
fn build(connect_timeout: Duration, user_agent: &str) -> Result<reqwest::Client, ClientError> {
    // Keeps a cryptography provider that the program has already installed.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder()
        .connect_timeout(connect_timeout)
        .user_agent(user_agent)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(ClientError::Transport)
}

/// A header that is not printed. The hub rejects a credential that no header can carry like any unknown one.
pub(crate) fn secret_header(text: &str, invalid: &'static str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(invalid));
    value.set_sensitive(true);
    value
}

/// Whether the same request may work later.
fn is_retryable(error: &ClientError) -> bool {
    match error {
        ClientError::Transport(error) => error.is_connect() || error.is_timeout() || error.is_request(),
        ClientError::Refused(problem) => matches!(problem.status, 429 | 502 | 503 | 504),
        ClientError::Timeout => true,
        ClientError::Address(_) | ClientError::Answer(_) => false,
    }
}

/// Reads the body of a response, up to a size limit.
async fn read_body(mut response: Response) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(ClientError::Transport)? {
        if body.len() + chunk.len() > ANSWER_MAX {
            return Err(ClientError::Answer(format!("it has more than {ANSWER_MAX} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

pub(crate) async fn read<T: DeserializeOwned>(response: Response) -> Result<T, ClientError> {
    let body = read_body(response).await?;
    serde_json::from_slice(&body).map_err(|error| ClientError::Answer(error.to_string()))
}

/// Reads the problem of an error response.
async fn read_problem(response: Response) -> ClientError {
    let status = response.status();
    let after = response.headers().get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
    let retry_after = after.map(Duration::from_secs);
    let body = match read_body(response).await {
        Ok(body) => body,
        Err(error) => return error,
    };
    let mut problem: Problem = serde_json::from_slice(&body).unwrap_or_else(|_| unknown_problem(status));
    problem.status = status.as_u16();
    problem.take_oauth_words();
    problem.retry_after = retry_after;
    ClientError::Refused(Box::new(problem))
}

/// The problem of an error response that is not from the hub, such as that of a proxy.
fn unknown_problem(status: StatusCode) -> Problem {
    Problem {
        status: status.as_u16(),
        code: String::new(),
        detail: String::new(),
        errors: Vec::new(),
        details: serde_json::Map::new(),
        retry_after: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_needs_http_and_a_host() {
        for address in ["", "hub.example", "ftp://hub.example", "https://", "mailto:a@b"] {
            assert!(Client::new(address).is_err(), "{address}");
        }
        let client = Client::new("https://hub.example/svc?x=1#y").unwrap();
        assert_eq!(client.address().as_str(), "https://hub.example/svc/");
    }

    #[test]
    fn segments_are_escaped_and_the_key_is_never_printed() {
        let client = Client::new("https://hub.example").unwrap().with_key("svca_secret");
        let request =
            client.request(Method::GET, &["api", "channels", "a/b ?"], &[("q", "a&b")]).unwrap().build().unwrap();
        assert_eq!(request.url().as_str(), "https://hub.example/api/channels/a%2Fb%20%3F?q=a%26b");
        assert!(!format!("{client:?} {request:?}").contains("secret"));
    }
}
