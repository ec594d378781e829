//! The key of the agent: from the environment, because arguments can be read by everybody on the machine.

use std::fmt;
use std::sync::Arc;

use svc_core::{Error, ErrorKind, Result};

/// The variable that holds the key.
pub(crate) const AGENT_KEY: &str = "SVC_AGENT_KEY";

/// A key that is not printed.
#[derive(Clone)]
pub(crate) struct Key(Arc<str>);

impl Key {
    /// The key of the environment.
    pub(crate) fn from_environment() -> Result<Self> {
        let text = std::env::var_os(AGENT_KEY).unwrap_or_default();
        match text.to_str().map(str::trim) {
            Some(key) if key.bytes().all(|byte| byte.is_ascii_graphic()) && !key.is_empty() => Ok(Self(key.into())),
            Some("") => {
                Err(refused(format!("The variable {AGENT_KEY} is not set: put the key of your agent into it.")))
            }
            _ => Err(refused(format!("The variable {AGENT_KEY} holds no key: put the key of your agent into it."))),
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

/// What to do about a key that the hub does not take.
pub(crate) fn unknown_key() -> Error {
    refused(format!(
        "The hub does not know the key in {AGENT_KEY}: ask the agent's owner for a new one, set the variable and start the client again."
    ))
}

fn refused(sentence: String) -> Error {
    Error::new(ErrorKind::Unauthenticated, "agent_key", sentence)
}
