//! An agent that speaks MCP: the surface of the hub on one end of a pipe, a client on the other.

use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientConfig, ErrorData, GetPromptRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ResourceContents, ResourceUpdatedNotificationParam, SubscribeRequestParams,
    UnsubscribeRequestParams,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RunningService};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ClientHandler, Peer, RoleClient, ServiceError, ServiceExt};
use serde_json::Value;
use svc_core::Hub;
use svc_mcp::{Door, Mcp, Pipe, Profile};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::hub::TestHub;
use super::server::TestServer;
use super::wait::soon;

/// Room for what is on its way through the pipe.
const PIPE: usize = 64 * 1024;

/// What an agent is told without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// A resource has changed.
    Updated(String),
    /// There are other resources.
    ResourcesChanged,
}

/// An agent that is connected with its key.
pub(crate) struct Agent {
    client: RunningService<RoleClient, Ears>,
    told: UnboundedReceiver<Told>,
}

/// Keeps what the agent is told.
struct Ears(UnboundedSender<Told>);

impl ClientHandler for Ears {
    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.0.send(Told::Updated(params.uri)).ok();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send(Told::ResourcesChanged).ok();
    }

    fn get_info(&self) -> ClientConfig {
        ClientConfig::default()
    }
}

impl AsRef<Hub> for TestHub {
    fn as_ref(&self) -> &Hub {
        &self.hub
    }
}

impl AsRef<Hub> for TestServer {
    fn as_ref(&self) -> &Hub {
        &self.hub
    }
}

impl Agent {
    /// Connects as most clients do: with a handshake, which begins a session.
    pub(crate) async fn connect(test: &impl AsRef<Hub>, key: &str) -> Self {
        Self::connect_by(test.as_ref(), key, ClientLifecycleMode::Initialize).await
    }

    /// Connects as clients of the newest revision do: every request stands for itself.
    pub(crate) async fn connect_modern(test: &impl AsRef<Hub>, key: &str) -> Self {
        let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        Self::connect_by(test.as_ref(), key, newest).await
    }

    async fn connect_by(hub: &Hub, key: &str, mode: ClientLifecycleMode) -> Self {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let surface = Mcp::new(hub.clone(), Door::key(key), Some(Profile::Full));
        let (reader, writer) = tokio::io::split(theirs);
        let pipe = Pipe::new(AsyncRwTransport::new_server(reader, writer), hub.clone());
        tokio::spawn(async move {
            if let Ok(served) = surface.serve(pipe).await {
                served.waiting().await.ok();
            }
        });
        let (tell, told) = unbounded_channel();
        let client = soon("the surface answers", Ears(tell).serve_with_lifecycle(ours, mode)).await.unwrap();
        Self { client, told }
    }

    /// Everything else that a client can ask.
    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        self.client.peer()
    }

    /// Calls a tool, whatever it answers.
    pub(crate) async fn try_call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        soon(tool, self.client.call_tool(request)).await.unwrap()
    }

    /// Calls a tool that does it, and returns what it answered.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.try_call(tool, arguments).await;
        let value = result.structured_content.expect("a tool answers a structure");
        assert_ne!(result.is_error, Some(true), "{tool}: {value}");
        value
    }

    /// Calls a tool that refuses, and returns its refusal.
    pub(crate) async fn refused(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.try_call(tool, arguments).await;
        let value = result.structured_content.expect("a refusal has a structure");
        assert_eq!(result.is_error, Some(true), "{tool}: {value}");
        value
    }

    /// The one message of a prompt.
    pub(crate) async fn prompt(&self, name: &str, arguments: Value) -> Result<String, ErrorData> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let answer = soon("the prompt comes", self.client.get_prompt(request)).await.map_err(refusal)?;
        let [message] = answer.messages.as_slice() else { panic!("a prompt is one message") };
        Ok(message.content.as_text().expect("it is a text").text.clone())
    }

    /// The Markdown at an address.
    pub(crate) async fn read_text(&self, uri: &str) -> Result<String, ErrorData> {
        let request = ReadResourceRequestParams::new(uri);
        let answer = soon("the resource comes", self.client.read_resource(request)).await.map_err(refusal)?;
        let [ResourceContents::TextResourceContents { uri: at, mime_type, text, .. }] = answer.contents.as_slice()
        else {
            panic!("a resource is one text")
        };
        assert_eq!((at.as_str(), mime_type.as_deref()), (uri, Some("text/markdown")));
        Ok(text.clone())
    }

    /// What stands at an address.
    pub(crate) async fn read(&self, uri: &str) -> Result<Value, ErrorData> {
        let request = ReadResourceRequestParams::new(uri);
        let answer = soon("the resource comes", self.client.read_resource(request)).await.map_err(refusal)?;
        let [ResourceContents::TextResourceContents { uri: at, mime_type, text, .. }] = answer.contents.as_slice()
        else {
            panic!("a resource is one text")
        };
        assert_eq!((at.as_str(), mime_type.as_deref()), (uri, Some("application/json")));
        Ok(serde_json::from_str(text).expect("it is JSON"))
    }

    /// Subscribes as clients of the older revisions do.
    #[expect(deprecated, reason = "the older revisions are served too")]
    pub(crate) async fn subscribe(&self, uri: &str) -> Result<(), ErrorData> {
        let request = SubscribeRequestParams::new(uri);
        soon("the subscription is answered", self.client.subscribe(request)).await.map_err(refusal)
    }

    /// Takes that back.
    #[expect(deprecated, reason = "the older revisions are served too")]
    pub(crate) async fn unsubscribe(&self, uri: &str) {
        soon("that is answered", self.client.unsubscribe(UnsubscribeRequestParams::new(uri))).await.unwrap();
    }

    /// What the agent is told next.
    pub(crate) async fn told(&mut self) -> Told {
        soon("the agent is told something", self.told.recv()).await.expect("the pipe is open")
    }

    /// Whether everything that was told has been looked at.
    pub(crate) fn heard_all(&self) -> bool {
        self.told.is_empty()
    }
}

/// The error that the surface answered.
fn refusal(error: ServiceError) -> ErrorData {
    match error {
        ServiceError::McpError(error) => error,
        other => panic!("no answer: {other}"),
    }
}
