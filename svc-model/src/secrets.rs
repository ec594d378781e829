//! Secrets and their scopes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, Result};
use crate::ids::SecretId;
use crate::limits;
use crate::names::{AgentName, Username};
use crate::page::Page;
use crate::timestamp::Timestamp;

/// The scope of a secret: the runs of all agents of a user, or of one agent. An agent's own secret takes
/// precedence.
///
/// It is written `user:NAME` or `agent:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SecretScope {
    /// All agents of this user.
    User(Username),
    /// This agent.
    Agent(AgentName),
}

impl FromStr for SecretScope {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("user", name)) => Username::parse("scope", name).map(Self::User),
            Some(("agent", name)) => AgentName::parse("scope", name).map(Self::Agent),
            _ => Err(Error::invalid("scope", "must be user:NAME or agent:NAME")),
        }
    }
}

impl fmt::Display for SecretScope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(name) => write!(formatter, "user:{name}"),
            Self::Agent(name) => write!(formatter, "agent:{name}"),
        }
    }
}

impl Serialize for SecretScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SecretScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The value of a secret. Its `Debug` output shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(String);

impl SecretValue {
    /// Checks that it can be the value of an environment variable; `field` is the name of the request field.
    pub fn parse(field: &str, text: String) -> Result<Self> {
        if text.is_empty() || text.len() > limits::SECRET_VALUE_MAX {
            let rule = format!("must have 1 to {} bytes", limits::SECRET_VALUE_MAX);
            return Err(Error::invalid(field, rule));
        }
        if text.contains('\0') {
            return Err(Error::invalid(field, "must not contain the NUL character"));
        }
        Ok(Self(text))
    }

    /// The text, for the run that receives it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretValue(…)")
    }
}

/// A secret without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret {
    /// Its id.
    pub id: SecretId,
    /// Its scope.
    pub scope: SecretScope,
    /// The name of its environment variable.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its value was last set.
    pub updated_at: Timestamp,
}

/// A page of secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SecretPage {
    /// The secrets, by scope and name.
    pub secrets: Vec<Secret>,
    /// The total number of secrets.
    pub total: i64,
}

/// The filter of a list of secrets.
#[derive(Debug, Clone, Default)]
pub struct SecretFilter {
    /// Only secrets of this scope.
    pub scope: Option<SecretScope>,
    /// The page.
    pub page: Page,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_survive_a_round_trip() {
        for text in ["user:Ann_2", "agent:review-bot"] {
            assert_eq!(text.parse::<SecretScope>().unwrap().to_string(), text);
        }
        for text in ["", "ann", "user:", "user:a b", "agent:Ann", "group:ann", "user", "User:ann", "user:ann:x"] {
            assert_eq!(text.parse::<SecretScope>().unwrap_err().fields()[0].field, "scope", "{text:?}");
        }
    }

    #[test]
    fn values_fit_an_environment_variable() {
        for good in ["x", " ", "two\nlines\n", &"x".repeat(limits::SECRET_VALUE_MAX)] {
            assert!(SecretValue::parse("value", good.to_owned()).is_ok());
        }
        for bad in ["", "a\0b", &"x".repeat(limits::SECRET_VALUE_MAX + 1)] {
            assert_eq!(SecretValue::parse("value", bad.to_owned()).unwrap_err().fields()[0].field, "value");
        }
        assert!(!format!("{:?}", SecretValue::parse("value", "hunter2".into()).unwrap()).contains("hunter2"));
    }
}
