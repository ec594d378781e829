//! The configurations of MCP clients in a run, each in the form of its program.

use serde_json::{Map, Value, json};
use svc_model::harness::{HarnessPreset, HarnessSettings};

/// A file of a run.
pub(super) struct McpFile {
    /// Whether it is in the home directory, and not in the work directory.
    pub(super) is_home: bool,
    pub(super) path: &'static str,
    pub(super) text: String,
}

/// The servers of a run: those of the settings, and the hub, which no setting replaces.
pub(super) fn servers(config: &Value, settings: &HarnessSettings) -> Map<String, Value> {
    let mut servers: Map<String, Value> =
        settings.mcp_servers.iter().map(|(name, server)| (name.clone(), server.clone())).collect();
    if let Some(own) = config["mcpServers"].as_object() {
        servers.extend(own.iter().map(|(name, server)| (name.clone(), server.clone())));
    }
    servers
}

/// `.mcp.json`, and the file of the preset when its program reads another one.
pub(super) fn files(config: &Value, settings: &HarnessSettings) -> Vec<McpFile> {
    let servers = servers(config, settings);
    let common = json!({ "mcpServers": servers });
    let mut files = vec![McpFile { is_home: false, path: ".mcp.json", text: pretty(&common) }];
    files.extend(match settings.preset {
        Some(HarnessPreset::Codex) => {
            codex(&servers).map(|text| McpFile { is_home: true, path: ".codex/config.toml", text })
        }
        Some(HarnessPreset::Gemini) => {
            Some(McpFile { is_home: false, path: ".gemini/settings.json", text: pretty(&gemini(&servers)) })
        }
        Some(HarnessPreset::Opencode) => {
            Some(McpFile { is_home: false, path: "opencode.json", text: pretty(&opencode(&servers)) })
        }
        Some(HarnessPreset::Claude) | None => None,
    });
    files
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Copies fields under other names.
fn picked(server: &Value, fields: &[(&str, &str)]) -> Map<String, Value> {
    let pick = |(from, to): &(&str, &str)| server.get(*from).map(|value| ((*to).to_owned(), value.clone()));
    fields.iter().filter_map(pick).collect()
}

fn codex(servers: &Map<String, Value>) -> Option<String> {
    let fields =
        [("url", "url"), ("headers", "http_headers"), ("command", "command"), ("args", "args"), ("env", "env")];
    let servers: Map<String, Value> =
        servers.iter().map(|(name, server)| (name.clone(), Value::Object(picked(server, &fields)))).collect();
    toml::to_string(&json!({ "mcp_servers": servers })).ok()
}

fn gemini(servers: &Map<String, Value>) -> Value {
    let fields = [("url", "httpUrl"), ("headers", "headers"), ("command", "command"), ("args", "args"), ("env", "env")];
    let servers: Map<String, Value> = servers
        .iter()
        .map(|(name, server)| {
            let mut server = picked(server, &fields);
            // Nobody is there to confirm a call.
            server.insert("trust".into(), true.into());
            (name.clone(), Value::Object(server))
        })
        .collect();
    json!({ "mcpServers": servers })
}

fn opencode(servers: &Map<String, Value>) -> Value {
    let servers: Map<String, Value> = servers
        .iter()
        .map(|(name, server)| {
            let mut made = picked(server, &[("url", "url"), ("headers", "headers"), ("env", "environment")]);
            if let Some(command) = server.get("command") {
                let mut line = vec![command.clone()];
                line.extend(server["args"].as_array().into_iter().flatten().cloned());
                made.insert("command".into(), line.into());
            }
            let kind = if server.get("command").is_some() { "local" } else { "remote" };
            made.insert("type".into(), kind.into());
            made.insert("enabled".into(), true.into());
            (name.clone(), Value::Object(made))
        })
        .collect();
    json!({ "$schema": "https://opencode.ai/config.json", "mcp": servers })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(preset: HarnessPreset) -> (&'static str, String) {
        let hub =
            json!({ "type": "http", "url": "https://hub.example.org/mcp", "headers": { "Authorization": "Bearer k" } });
        let settings = HarnessSettings {
            preset: Some(preset),
            mcp_servers: [
                ("git".to_owned(), json!({ "command": "git-mcp", "args": ["-v"], "env": { "A": "b" } })),
                ("svc".to_owned(), json!({ "url": "https://elsewhere.example.org" })),
            ]
            .into(),
            ..HarnessSettings::default()
        };
        let files = files(&json!({ "mcpServers": { "svc": hub } }), &settings);
        let common: Value = serde_json::from_str(&files[0].text).unwrap();
        assert_eq!(common["mcpServers"]["svc"]["url"], "https://hub.example.org/mcp");
        assert_eq!(common["mcpServers"]["git"]["command"], "git-mcp");
        let last = files.into_iter().next_back().unwrap();
        (last.path, last.text)
    }

    #[test]
    fn each_program_gets_its_own_form() {
        assert_eq!(made(HarnessPreset::Claude).0, ".mcp.json");
        let (path, text) = made(HarnessPreset::Codex);
        let codex: toml::Table = toml::from_str(&text).unwrap();
        assert_eq!(path, ".codex/config.toml");
        assert_eq!(codex["mcp_servers"]["svc"]["http_headers"]["Authorization"].as_str(), Some("Bearer k"));
        assert_eq!(codex["mcp_servers"]["git"]["args"][0].as_str(), Some("-v"));
        let gemini: Value = serde_json::from_str(&made(HarnessPreset::Gemini).1).unwrap();
        assert_eq!(gemini["mcpServers"]["svc"]["httpUrl"], "https://hub.example.org/mcp");
        let opencode: Value = serde_json::from_str(&made(HarnessPreset::Opencode).1).unwrap();
        assert_eq!(opencode["mcp"]["svc"]["type"], "remote");
        assert_eq!(
            opencode["mcp"]["git"],
            json!({
                "type": "local", "command": ["git-mcp", "-v"], "environment": { "A": "b" }, "enabled": true
            })
        );
    }
}
