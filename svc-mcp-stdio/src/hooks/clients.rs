//! What each client calls its hooks, and where it keeps them.

use clap::ValueEnum;
use serde_json::{Value, json};
use svc_core::Result;

use super::unprintable;
use crate::place::Place;

/// How every command of ours ends, by which it is found again.
pub(super) const SIGN: &str = " wait --timeout 1s --hook";
/// How long a client waits for a hook, in seconds.
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
    /// The file that hooks are in.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Claude => ".claude/settings.json",
            // Beside config.toml, and read with it.
            Self::Codex => ".codex/hooks.json",
            Self::Gemini => ".gemini/settings.json",
        }
    }

    /// When a session begins, when a human says something, when a turn ends.
    pub(super) fn events(self) -> [&'static str; 3] {
        match self {
            Self::Claude | Self::Codex => ["SessionStart", "UserPromptSubmit", "Stop"],
            Self::Gemini => ["SessionStart", "BeforeAgent", "AfterAgent"],
        }
    }

    /// What stands under an event.
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

    /// What else has to be so.
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

/// The command of a hook. The address of a store may hold a password, so that one stays in the environment.
pub(super) fn command(program: &str, place: &Place) -> Result<String> {
    let mut words = vec![quoted(program)];
    if let Some(data) = &place.data {
        // A hook runs wherever its client was started.
        let whole = std::path::absolute(data).map_err(|_| unprintable(data))?;
        let text = whole.to_str().ok_or_else(|| unprintable(data))?;
        words.extend(["--data".to_owned(), quoted(text)]);
    }
    if let Some(url) = &place.url {
        let address: crate::bridge::Address = url.parse()?;
        words.extend(["--url".to_owned(), quoted(&address.to_string())]);
    }
    Ok(words.join(" ") + SIGN)
}

/// A word as a shell reads it.
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
    fn a_command_is_one_that_a_shell_reads() {
        let place = Place { data: Some("/srv/ann's hub".into()), ..Place::default() };
        assert_eq!(
            command("svc-mcp-stdio", &place).unwrap(),
            r"svc-mcp-stdio --data '/srv/ann'\''s hub' wait --timeout 1s --hook"
        );
        let place = Place { url: Some("https://hub.example.org/mcp".into()), ..Place::default() };
        assert_eq!(
            command("svc-mcp-stdio", &place).unwrap(),
            "svc-mcp-stdio --url https://hub.example.org wait --timeout 1s --hook"
        );
    }

    #[test]
    fn a_password_of_a_store_is_never_written() {
        let place = Place { database_url: Some("postgres://svc:hunter2@db/svc".into()), ..Place::default() };
        assert_eq!(command("svc-mcp-stdio", &place).unwrap(), "svc-mcp-stdio wait --timeout 1s --hook");
    }
}
