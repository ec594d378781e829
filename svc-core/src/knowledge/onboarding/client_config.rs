//! Configurations of MCP clients, in the format of each client.
//!
//! Invariant: without a key, the configuration contains no secret and refers to the key in the
//! client's own notation. The debug output never shows a key.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::address::Address;
use crate::error::{Error, Result};

/// The environment variable from which clients and `svc-mcp-stdio` read the key.
const VARIABLE: &str = "SVC_AGENT_KEY";
/// The name of the hub in a client.
const SERVER: &str = "svc";
/// The name of the VS Code input for the key.
const INPUT: &str = "svc-agent-key";

/// The transport between client and hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Transport {
    /// Directly over HTTP.
    #[default]
    Http,
    /// Through the program `svc-mcp-stdio`, started by the client.
    Stdio,
}

/// A client with its own configuration format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ClientKind {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    Vscode,
}

/// The format of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigFormat {
    /// JSON.
    Json,
    /// TOML.
    Toml,
}

/// A request for a client configuration.
#[derive(Clone, Default)]
pub struct ConfigRequest {
    /// The transport.
    pub transport: Transport,
    /// The client; `None` for the format that most clients share.
    pub client: Option<ClientKind>,
    /// The hub's address; `None` for the one that it was opened with.
    pub base_url: Option<String>,
    /// A key of the agent to include.
    pub api_key: Option<String>,
}

impl fmt::Debug for ConfigRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ConfigRequest")
            .field("transport", &self.transport)
            .field("client", &self.client)
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// A client configuration to paste.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientConfig {
    /// The format.
    pub format: ConfigFormat,
    /// The path of the client's configuration file.
    pub place: String,
    /// Whether it contains the key.
    pub has_key: bool,
    /// The text of the file.
    pub text: String,
}

impl fmt::Debug for ClientConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ClientConfig").field("place", &self.place).finish_non_exhaustive()
    }
}

/// Writes the configuration. The key is already checked.
pub(super) fn write(
    transport: Transport,
    client: Option<ClientKind>,
    address: &Address,
    key: Option<&str>,
) -> Result<ClientConfig> {
    let document = match client {
        Some(ClientKind::Codex) => codex(transport, address, key),
        Some(ClientKind::Vscode) => vscode(transport, address, key),
        _ => common(transport, client, address, key),
    };
    let (format, text) = match client {
        Some(ClientKind::Codex) => (ConfigFormat::Toml, toml::to_string(&document).map_err(unwritable)?),
        _ => (ConfigFormat::Json, serde_json::to_string_pretty(&document).map_err(unwritable)? + "\n"),
    };
    Ok(ClientConfig { format, place: place(client).to_owned(), has_key: key.is_some(), text })
}

fn unwritable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::internal("a configuration cannot be written").with_source(error)
}

fn place(client: Option<ClientKind>) -> &'static str {
    match client {
        None | Some(ClientKind::Claude) => ".mcp.json",
        Some(ClientKind::Codex) => "~/.codex/config.toml",
        Some(ClientKind::Gemini) => "~/.gemini/settings.json",
        Some(ClientKind::Cursor) => ".cursor/mcp.json",
        Some(ClientKind::Vscode) => ".vscode/mcp.json",
    }
}

/// `mcpServers`, which most clients read, with small differences.
fn common(transport: Transport, client: Option<ClientKind>, address: &Address, key: Option<&str>) -> Value {
    let reference = match client {
        Some(ClientKind::Cursor) => format!("${{env:{VARIABLE}}}"),
        _ => format!("${{{VARIABLE}}}"),
    };
    let key = key.unwrap_or(&reference);
    let mut server = match (transport, client) {
        (Transport::Http, Some(ClientKind::Gemini)) => json!({ "httpUrl": address.mcp() }),
        (Transport::Http, Some(ClientKind::Cursor)) => json!({ "url": address.mcp() }),
        (Transport::Http, _) => json!({ "type": "http", "url": address.mcp() }),
        (Transport::Stdio, _) => program(address),
    };
    match transport {
        Transport::Http => server["headers"] = authorization(key),
        Transport::Stdio => server["env"] = json!({ VARIABLE: key }),
    }
    json!({ "mcpServers": { SERVER: server } })
}

/// VS Code prompts for the key once and stores it.
fn vscode(transport: Transport, address: &Address, key: Option<&str>) -> Value {
    let reference = format!("${{input:{INPUT}}}");
    let text = key.unwrap_or(&reference);
    let server = match transport {
        Transport::Http => json!({ "type": "http", "url": address.mcp(), "headers": authorization(text) }),
        Transport::Stdio => {
            let mut server = program(address);
            server["type"] = json!("stdio");
            server["env"] = json!({ VARIABLE: text });
            server
        }
    };
    let mut document = json!({ "servers": { SERVER: server } });
    if key.is_none() {
        let input = json!({ "type": "promptString", "id": INPUT, "description": "The agent's key", "password": true });
        document["inputs"] = json!([input]);
    }
    document
}

/// Codex names the variable instead of interpolating its value.
fn codex(transport: Transport, address: &Address, key: Option<&str>) -> Value {
    let mut server = match transport {
        Transport::Http => json!({ "url": address.mcp() }),
        Transport::Stdio => program(address),
    };
    match (transport, key) {
        (Transport::Http, None) => server["bearer_token_env_var"] = json!(VARIABLE),
        (Transport::Http, Some(key)) => server["http_headers"] = authorization(key),
        (Transport::Stdio, None) => server["env_vars"] = json!([VARIABLE]),
        (Transport::Stdio, Some(key)) => server["env"] = json!({ VARIABLE: key }),
    }
    json!({ "mcp_servers": { SERVER: server } })
}

fn program(address: &Address) -> Value {
    json!({ "command": "svc-mcp-stdio", "args": ["--url", address.as_str()] })
}

fn authorization(key: &str) -> Value {
    json!({ "Authorization": format!("Bearer {key}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "svca_a-key";

    fn document(transport: Transport, client: Option<ClientKind>, key: Option<&str>) -> Value {
        let address = Address::parse("https://hub.example.org").unwrap();
        let config = write(transport, client, &address, key).unwrap();
        assert_eq!((config.has_key, config.text.contains(KEY)), (key.is_some(), key.is_some()));
        assert!(!format!("{config:?}").contains(KEY));
        match config.format {
            ConfigFormat::Json => serde_json::from_str(&config.text).unwrap(),
            ConfigFormat::Toml => toml::from_str(&config.text).unwrap(),
        }
    }

    #[test]
    fn the_form_that_most_clients_share() {
        let url = "https://hub.example.org/mcp";
        assert_eq!(
            document(Transport::Http, None, Some(KEY)),
            json!({ "mcpServers": { "svc": {
                "type": "http", "url": url, "headers": { "Authorization": "Bearer svca_a-key" }
            } } })
        );
        assert_eq!(
            document(Transport::Stdio, None, None),
            json!({ "mcpServers": { "svc": {
                "command": "svc-mcp-stdio", "args": ["--url", "https://hub.example.org"],
                "env": { "SVC_AGENT_KEY": "${SVC_AGENT_KEY}" }
            } } })
        );
        for transport in [Transport::Http, Transport::Stdio] {
            for key in [None, Some(KEY)] {
                assert_eq!(document(transport, Some(ClientKind::Claude), key), document(transport, None, key));
            }
        }
    }

    #[test]
    fn each_client_has_its_own_way_to_name_the_address_and_the_key() {
        let server = |client, key| document(Transport::Http, Some(client), key)["mcpServers"]["svc"].clone();
        let gemini = server(ClientKind::Gemini, None);
        assert_eq!((&gemini["httpUrl"], &gemini["url"]), (&json!("https://hub.example.org/mcp"), &Value::Null));
        assert_eq!(gemini["headers"]["Authorization"], "Bearer ${SVC_AGENT_KEY}");
        let cursor = server(ClientKind::Cursor, None);
        assert_eq!(cursor["headers"]["Authorization"], "Bearer ${env:SVC_AGENT_KEY}");
        assert_eq!(server(ClientKind::Cursor, Some(KEY))["headers"]["Authorization"], "Bearer svca_a-key");

        let asks = document(Transport::Stdio, Some(ClientKind::Vscode), None);
        assert_eq!(asks["servers"]["svc"]["env"]["SVC_AGENT_KEY"], "${input:svc-agent-key}");
        assert_eq!((&asks["inputs"][0]["id"], &asks["inputs"][0]["password"]), (&json!("svc-agent-key"), &json!(true)));
        let knows = document(Transport::Http, Some(ClientKind::Vscode), Some(KEY));
        assert_eq!((&knows["inputs"], &knows["servers"]["svc"]["type"]), (&Value::Null, &json!("http")));

        let codex = |transport, key| document(transport, Some(ClientKind::Codex), key)["mcp_servers"]["svc"].clone();
        let url = "https://hub.example.org/mcp";
        assert_eq!(codex(Transport::Http, None), json!({ "url": url, "bearer_token_env_var": "SVC_AGENT_KEY" }));
        assert_eq!(codex(Transport::Http, Some(KEY))["http_headers"]["Authorization"], "Bearer svca_a-key");
        assert_eq!(codex(Transport::Stdio, None)["env_vars"], json!(["SVC_AGENT_KEY"]));
        assert_eq!(codex(Transport::Stdio, Some(KEY))["env"]["SVC_AGENT_KEY"], KEY);
    }

    #[test]
    fn a_request_is_printed_without_its_key() {
        let request = ConfigRequest { api_key: Some(KEY.into()), ..ConfigRequest::default() };
        assert!(!format!("{request:?}").contains(KEY));
    }
}
