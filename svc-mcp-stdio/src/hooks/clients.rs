//! Hook events and settings files of each client.

use clap::ValueEnum;
use serde_json::{Value, json};
use svc_core::Result;

use super::unprintable;
use crate::location::HubLocation;

/// Suffix of every hook command of this program, by which it is recognized.
pub(super) const SIGN: &str = " wait --timeout 1s --hook";
/// Timeout of a hook in the client, in seconds.
const PATIENCE: u64 = 10;

/// A client with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookClient {
    /// Claude Code: .claude/settings.json
    Claude,
    /// Codex: .codex/hooks.json
    Codex,
    /// Gemini CLI: .gemini/settings.json
    Gemini,
}

impl HookClient {
    /// The file with the hooks.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Claude => ".claude/settings.json",
            // Beside config.toml, and read with it.
            Self::Codex => ".codex/hooks.json",
            Self::Gemini => ".gemini/settings.json",
        }
    }

    /// Start of a session, prompt of a human, end of a turn.
    pub(super) fn events(self) -> [&'static str; 3] {
        match self {
            Self::Claude | Self::Codex => ["SessionStart", "UserPromptSubmit", "Stop"],
            Self::Gemini => ["SessionStart", "BeforeAgent", "AfterAgent"],
        }
    }

    /// The entry of an event.
    pub(super) fn group(self, command: &str) -> Value {
        match self {
            Self::Claude | Self::Codex => {
                json!({ "hooks": [{ "type": "command", "command": command, "timeout": PATIENCE }] })
            }
            Self::Gemini => json!({
                "hooks": [{ "name": "svc", "type": "command", "command": command, "timeout": PATIENCE * 1000 }],
            }),
        }
    }

    /// Hints after the installation.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Claude => "Start the client with SVC_AGENT_KEY in its environment; /hooks shows what it runs.",
            Self::Codex => {
                "Start the client with SVC_AGENT_KEY in its environment. It asks you to trust new hooks before it runs them; versions that keep them behind a switch want [features] hooks = true in config.toml."
            }
            Self::Gemini => {
                "Start the client with SVC_AGENT_KEY in its environment. It asks you to trust the hooks of a project; /hooks shows what it runs."
            }
        }
    }
}

/// The command of a hook. The URL of a store may contain a password, so it stays in the environment.
pub(super) fn command(program: &str, location: &HubLocation) -> Result<String> {
    let mut words = vec![quoted(program)];
    if let Some(data) = &location.data {
        // A hook runs in the directory where its client was started.
        let whole = std::path::absolute(data).map_err(|_| unprintable(data))?;
        let text = whole.to_str().ok_or_else(|| unprintable(data))?;
        words.extend(["--data".to_owned(), quoted(text)]);
    }
    if let Some(url) = &location.url {
        let address: crate::bridge::Address = url.parse()?;
        words.extend(["--url".to_owned(), quoted(&address.to_string())]);
    }
    Ok(words.join(" ") + SIGN)
}

/// A word quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-:@%+=".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_quoted_for_a_shell() {
        let location = HubLocation { data: Some("/srv/ann's hub".into()), ..HubLocation::default() };
        assert_eq!(
            command("svc-mcp-stdio", &location).unwrap(),
            r"svc-mcp-stdio --data '/srv/ann'\''s hub' wait --timeout 1s --hook"
        );
        let location = HubLocation { url: Some("https://hub.example.org/mcp".into()), ..HubLocation::default() };
        assert_eq!(
            command("svc-mcp-stdio", &location).unwrap(),
            "svc-mcp-stdio --url https://hub.example.org wait --timeout 1s --hook"
        );
    }

    #[test]
    fn a_password_of_a_store_is_never_written() {
        let location =
            HubLocation { database_url: Some("postgres://svc:hunter2@db/svc".into()), ..HubLocation::default() };
        assert_eq!(command("svc-mcp-stdio", &location).unwrap(), "svc-mcp-stdio wait --timeout 1s --hook");
    }
}
