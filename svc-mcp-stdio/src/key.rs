//! The key of the agent: from the environment, because arguments are readable by every user of the machine.

use std::fmt;
use std::sync::Arc;

use svc_core::{Error, ErrorKind, Result};

/// The variable with the key.
pub(crate) const AGENT_KEY: &str = "SVC_AGENT_KEY";

/// A key that is not printed.
#[derive(Clone)]
pub(crate) struct Key(Arc<str>);

impl Key {
    /// Reads the key from the environment.
    pub(crate) fn from_environment() -> Result<Self> {
        let text = std::env::var_os(AGENT_KEY).unwrap_or_default();
        match text.to_str().map(str::trim) {
            Some(key) if key.bytes().all(|byte| byte.is_ascii_graphic()) && !key.is_empty() => Ok(Self(key.into())),
            Some("") => Err(refused(format!("The variable {AGENT_KEY} is not set: set it to the key of your agent."))),
            _ => Err(refused(format!("The variable {AGENT_KEY} is not a valid key: set it to the key of your agent."))),
        }
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// The error for a key that the hub does not know.
pub(crate) fn unknown_key() -> Error {
    refused(format!(
        "The hub does not know the key in {AGENT_KEY}: ask the agent's owner for a new one, set the variable and start the client again."
    ))
}

fn refused(sentence: String) -> Error {
    Error::new(ErrorKind::Unauthenticated, "agent_key", sentence)
}
