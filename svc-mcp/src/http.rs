//! MCP over HTTP: one endpoint for the newest revision, where every request is independent, and for the older
//! revisions, which open sessions.
//!
//! Invariants: a session belongs to the credential that opened it and does not exist for any other; the number of
//! sessions of a credential is bounded, and the oldest one is closed first; errors have the form of JSON-RPC. Batches
//! are accepted in sessions of the one revision that has them.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::Stream;
use futures_util::future::join_all;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::model::{ClientJsonRpcMessage, ProtocolVersion, ServerJsonRpcMessage, ServerResult};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{RestoreOutcome, ServerSseMessage, SessionId, SessionManager};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use svc_core::auth::Credential;
use svc_core::{Caller, Hub, limits};
use tokio_util::sync::CancellationToken;

use crate::door::Door;
use crate::error::{METHOD_NOT_FOUND, no_method};
use crate::server::Mcp;

/// Interval of keep-alive comments on every stream.
const HEARTBEAT: Duration = limits::HEARTBEAT;
/// Longest error explanation that is passed on, in bytes.
const EXPLANATION_MAX: usize = 2_048;
/// Header with the method of a request in the newest revision, and the method that opens a stream.
const METHOD: &str = "mcp-method";
const LISTEN: &str = "subscriptions/listen";
/// Header with the id of a session.
const SESSION: &str = "mcp-session-id";

/// The body of a response.
pub type AnswerBody = BoxBody<Bytes, Infallible>;

/// Serves `/mcp`. Clones share their sessions.
#[derive(Clone)]
pub struct McpService {
    inner: StreamableHttpService<Mcp, Sessions>,
    #[cfg(feature = "fixtures")]
    fixtures: Option<StreamableHttpService<crate::fixtures::Fixtures, Sessions>>,
    sessions: Arc<Sessions>,
    hub: Hub,
}

impl McpService {
    /// Serves this hub. Streams and sessions end when `ending` is cancelled; a session also ends when nothing happens
    /// in it for `idle`.
    pub fn new(hub: Hub, ending: CancellationToken, idle: Duration) -> Self {
        let mut session_config = SessionConfig::default();
        session_config.keep_alive = Some(idle);
        let mut local = LocalSessionManager::default();
        local.session_config = session_config;
        let sessions = Arc::new(Sessions { local, holders: Mutex::default(), batching: Mutex::default() });
        let config = StreamableHttpServerConfig::default()
            // Hosts and origins are checked before a request arrives here.
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_sse_keep_alive(Some(HEARTBEAT))
            .with_json_response(true)
            .with_max_request_body_bytes(limits::MCP_BODY_MAX)
            .with_cancellation_token(ending);
        let factory = {
            let hub = hub.clone();
            move || Ok(Mcp::new(hub.clone(), Door::Request, None))
        };
        #[cfg(feature = "fixtures")]
        let fixtures = crate::fixtures::are_served().then(|| {
            let inner = factory.clone();
            let factory = move || inner().map(crate::fixtures::Fixtures);
            StreamableHttpService::new(factory, sessions.clone(), config.clone())
        });
        let inner = StreamableHttpService::new(factory, sessions.clone(), config);
        #[cfg(feature = "fixtures")]
        return Self { inner, fixtures, sessions, hub };
        #[cfg(not(feature = "fixtures"))]
        Self { inner, sessions, hub }
    }

    /// The number of open sessions of the older revisions.
    pub async fn sessions(&self) -> usize {
        self.sessions.local.sessions.read().await.len()
    }

    async fn handled<B>(&self, request: Request<B>) -> Response<AnswerBody>
    where
        B: http_body::Body + Send + 'static,
        B::Error: std::fmt::Display,
    {
        #[cfg(feature = "fixtures")]
        if let Some(fixtures) = &self.fixtures {
            return fixtures.handle(request).await;
        }
        self.inner.handle(request).await
    }

    /// Handles a request of this caller.
    pub async fn answer<B>(&self, caller: Caller, mut request: Request<B>) -> Response<AnswerBody>
    where
        B: http_body::Body + Send + 'static,
        B::Error: std::fmt::Display,
    {
        let holder = Holder::of(&caller);
        if let Some(id) = session_of(request.headers())
            && self.sessions.belongs_to_other(&id, &holder)
        {
            return refusal(StatusCode::NOT_FOUND, -32001, "Unknown or expired session: initialize again.");
        }
        if request.headers().get(METHOD).is_some_and(|method| method == LISTEN) {
            Mcp::before_listening(&self.hub).await;
        }
        if request.method() == Method::POST
            && session_of(request.headers()).is_some_and(|id| self.sessions.batching().contains(&id))
        {
            request.extensions_mut().insert(caller);
            return self.message_or_batch(request).await;
        }
        let begins = request.method() == Method::POST && !request.headers().contains_key(SESSION);
        let ends = request.method() == Method::DELETE;
        request.extensions_mut().insert(caller);
        let mut response = self.handled(request).await;
        if ends && response.status() == StatusCode::ACCEPTED {
            // The session is already closed; some clients treat 202 Accepted as a failure.
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        if let Some(id) = session_of(response.headers()).filter(|_| begins) {
            for old in self.sessions.note(id, holder) {
                self.sessions.close_session(&old).await.ok();
            }
        }
        as_json_rpc(response).await
    }
}

impl McpService {
    /// Handles a request of a session whose revision has batches: one message or a list of messages.
    async fn message_or_batch<B>(&self, request: Request<B>) -> Response<AnswerBody>
    where
        B: http_body::Body + Send + 'static,
        B::Error: std::fmt::Display,
    {
        let (mut parts, body) = request.into_parts();
        parts.headers.remove(header::CONTENT_LENGTH);
        let body = match whole(body).await {
            Ok(body) => body,
            Err(refused) => return refused,
        };
        if body.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'[') {
            let request = Request::from_parts(parts, Full::new(body));
            return as_json_rpc(self.handled(request).await).await;
        }
        let messages = match serde_json::from_slice::<Vec<Value>>(&body) {
            Ok(messages) if (1..=limits::MCP_BATCH_MAX).contains(&messages.len()) => messages,
            Ok(_) => {
                let message = format!("A batch has 1 to {} messages.", limits::MCP_BATCH_MAX);
                return refusal(StatusCode::BAD_REQUEST, -32600, &message);
            }
            Err(_) => return refusal(StatusCode::BAD_REQUEST, -32700, "Parse error"),
        };
        let answers = join_all(messages.into_iter().map(|message| self.batch_item(&parts, message))).await;
        let answers: Vec<Value> = answers.into_iter().flatten().collect();
        if answers.is_empty() {
            let mut taken = Response::new(Full::new(Bytes::new()).boxed());
            *taken.status_mut() = StatusCode::ACCEPTED;
            return taken;
        }
        json_answer(StatusCode::OK, &Value::Array(answers))
    }

    /// The response to one message of a batch; `None` for notifications and responses.
    async fn batch_item(&self, parts: &http::request::Parts, message: Value) -> Option<Value> {
        let id = message.get("id").cloned();
        let is_message = message.is_object() && message.get("method") != Some(&json!("initialize"));
        if !is_message {
            return Some(error_of(id.as_ref(), -32600, "Invalid Request"));
        }
        let expects = message.get("method").is_some() && id.is_some();
        let request = Request::from_parts(parts.clone(), Full::new(Bytes::from(message.to_string())));
        let response = as_json_rpc(self.handled(request).await).await;
        let (has_failed, is_stream) = (response.status().is_client_error(), is_of(&response, "text/event-stream"));
        let Ok(body) = response.into_body().collect().await.map(http_body_util::Collected::to_bytes);
        let text = String::from_utf8_lossy(&body);
        let mut answers: Vec<Value> = if is_stream {
            text.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok()).collect()
        } else {
            serde_json::from_str(&text).into_iter().collect()
        };
        answers.retain(|answer| answer.get("result").is_some() || answer.get("error").is_some());
        match answers.into_iter().next() {
            Some(mut answer) if expects || has_failed => {
                if answer["id"].is_null() {
                    answer["id"] = id.unwrap_or_default();
                }
                Some(answer)
            }
            None if expects => Some(error_of(id.as_ref(), -32603, "The request was not answered: send it again.")),
            _ => None,
        }
    }
}

/// Reads a body completely, up to the size limit.
async fn whole<B>(body: B) -> Result<Bytes, Response<AnswerBody>>
where
    B: http_body::Body + Send + 'static,
    B::Error: std::fmt::Display,
{
    let mut body = Box::pin(body);
    let mut bytes = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| refusal(StatusCode::BAD_REQUEST, -32600, &error.to_string()))?;
        let Ok(mut data) = frame.into_data() else { continue };
        if bytes.len() + data.remaining() > limits::MCP_BODY_MAX {
            return Err(refusal(
                StatusCode::PAYLOAD_TOO_LARGE,
                -32600,
                "The request body is too large: split the request.",
            ));
        }
        bytes.extend_from_slice(&data.copy_to_bytes(data.remaining()));
    }
    Ok(bytes.freeze())
}

fn session_of(headers: &HeaderMap) -> Option<SessionId> {
    headers.get(SESSION)?.to_str().ok().map(|text| text.to_owned().into())
}

/// The credential that opened a session.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Holder {
    Key(i64),
    Grant(i64),
    Login(i64),
    Run(i64),
    Process,
}

impl Holder {
    fn of(caller: &Caller) -> Self {
        match caller.credential() {
            Credential::AgentKey(id) => Self::Key(id.0),
            Credential::ManagedKey(limits) => Self::Key(limits.id.0),
            Credential::OAuth { grant, .. } => Self::Grant(grant.0),
            Credential::Session(id) => Self::Login(id.0),
            Credential::Run(id) => Self::Run(id.0),
            Credential::Process => Self::Process,
        }
    }
}

/// Sessions of the older revisions and their holders.
struct Sessions {
    local: LocalSessionManager,
    holders: Mutex<HashMap<SessionId, (Holder, u64)>>,
    /// Sessions of the revision that has batches.
    batching: Mutex<HashSet<SessionId>>,
}

impl Sessions {
    fn holders(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, (Holder, u64)>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn batching(&self) -> std::sync::MutexGuard<'_, HashSet<SessionId>> {
        self.batching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn belongs_to_other(&self, id: &SessionId, holder: &Holder) -> bool {
        self.holders().get(id).is_some_and(|(of, _)| of != holder)
    }

    /// Records the holder of a session; returns the sessions that must be closed to stay within the limit.
    fn note(&self, id: SessionId, holder: Holder) -> Vec<SessionId> {
        let mut holders = self.holders();
        let number = holders.values().map(|(_, number)| number + 1).max().unwrap_or(0);
        let mut own: Vec<(u64, SessionId)> = holders
            .iter()
            .filter(|(_, (of, _))| *of == holder)
            .map(|(id, (_, number))| (*number, id.clone()))
            .collect();
        holders.insert(id, (holder, number));
        own.sort_unstable_by_key(|(number, _)| *number);
        let too_many = (own.len() + 1).saturating_sub(limits::MCP_SESSIONS_PER_CREDENTIAL);
        own.into_iter().take(too_many).map(|(_, id)| id).collect()
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.local.create_session().await
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        let answer = self.local.initialize_session(id, message).await?;
        if let ServerJsonRpcMessage::Response(response) = &answer
            && let ServerResult::InitializeResult(begun) = &response.result
            && begun.protocol_version == ProtocolVersion::V_2025_03_26
        {
            self.batching().insert(id.clone());
        }
        Ok(answer)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.holders().remove(id);
        self.batching().remove(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.create_stream(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.resume(id, last_event_id).await
    }

    async fn restore_session(&self, _: SessionId) -> Result<RestoreOutcome<Self::Transport>, Self::Error> {
        Ok(RestoreOutcome::NotSupported)
    }
}

/// A JSON-RPC error as the whole response.
pub fn refusal(status: StatusCode, code: i32, message: &str) -> Response<AnswerBody> {
    json_answer(status, &error_of(None, code, message))
}

/// A JSON-RPC error.
fn error_of(id: Option<&Value>, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn json_answer(status: StatusCode, body: &Value) -> Response<AnswerBody> {
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn is_of(response: &Response<AnswerBody>, kind: &str) -> bool {
    let said = response.headers().get(header::CONTENT_TYPE).and_then(|said| said.to_str().ok());
    said.is_some_and(|said| said.starts_with(kind))
}

/// Replaces the message of a "method not found" error with the standard text of JSON-RPC, whichever layer produced
/// it.
async fn with_standard_message(response: Response<AnswerBody>) -> Response<AnswerBody> {
    if response.status() != StatusCode::NOT_FOUND || !is_of(&response, "application/json") {
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(bytes) = body.collect().await.map(http_body_util::Collected::to_bytes);
    let mut answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let error = answer.get("error").filter(|error| error["code"] == -32601 && error["message"] != METHOD_NOT_FOUND);
    let Some(method) = error.and_then(|error| error["message"].as_str()) else {
        return Response::from_parts(parts, Full::new(bytes).boxed());
    };
    answer["error"] = serde_json::to_value(no_method(method)).unwrap_or_default();
    let mut worded = json_answer(parts.status, &answer);
    for (name, value) in parts.headers.iter().filter(|(name, _)| **name != header::CONTENT_LENGTH) {
        worded.headers_mut().insert(name, value.clone());
    }
    worded
}

/// Converts a plain-text error response to a JSON-RPC error.
async fn as_json_rpc(response: Response<AnswerBody>) -> Response<AnswerBody> {
    let status = response.status();
    let is_plain = !response.headers().contains_key(header::CONTENT_TYPE);
    if !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    if !is_plain {
        return with_standard_message(response).await;
    }
    let (parts, body) = response.into_parts();
    let Ok(text) = body.collect().await.map(http_body_util::Collected::to_bytes);
    let text = String::from_utf8_lossy(&text[..text.len().min(EXPLANATION_MAX)]).into_owned();
    let (status, code) = match status {
        // A body that is not a message of the protocol is answered with 400 Bad Request.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if text.starts_with("fail to deserialize") => {
            let is_json =
                !text.contains("expected value") && !text.contains("EOF while") && !text.contains("recursion limit");
            (StatusCode::BAD_REQUEST, if is_json { -32600 } else { -32700 })
        }
        StatusCode::NOT_FOUND => (status, -32001),
        status if status.is_server_error() => (status, -32603),
        status => (status, -32600),
    };
    let mut wrapped = refusal(status, code, &text);
    for (name, value) in parts.headers.iter().filter(|(name, _)| **name != header::CONTENT_LENGTH) {
        wrapped.headers_mut().insert(name, value.clone());
    }
    wrapped
}
