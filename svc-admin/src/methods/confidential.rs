//! Confidential texts: sent over the socket and printed nowhere else.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A password, a key, or the value of a secret. Its `Debug` output shows nothing.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidential(String);

impl Confidential {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Confidential {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Confidential(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_serialized_as_text_and_not_printed() {
        let secret = Confidential::new("hunter2");
        assert_eq!(serde_json::to_string(&secret).unwrap(), "\"hunter2\"");
        assert!(!format!("{secret:?}").contains("hunter2"));
    }
}
