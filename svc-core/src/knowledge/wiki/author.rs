//! The author of a change.

use svc_model::auth::Permission;
use svc_model::wiki::Protection;

use super::store::ArticleRow;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::ParticipantId;

/// The name of an operator in histories.
pub(super) const OPERATOR: &str = "operator";

/// The author of a change.
#[derive(Debug, Clone)]
pub(super) struct Author {
    /// The participant; `None` for an operator, and for an author of another hub.
    pub(super) id: Option<ParticipantId>,
    /// The handle.
    pub(super) name: String,
    /// Whether it is not an agent.
    pub(super) is_human: bool,
}

impl Author {
    /// The author of a change by a caller, who needs the permission to write.
    pub(super) fn of(caller: &Caller) -> Result<Self> {
        require(caller, Permission::Write)?;
        let (name, is_human) = match caller.actor() {
            Actor::Root => (OPERATOR.to_owned(), true),
            Actor::User(user) => (user.username.to_string(), true),
            Actor::Agent(agent) => (agent.name.to_string(), false),
        };
        Ok(Self { id: caller.participant(), name, is_human })
    }

    /// The handle in events, which have none for an operator.
    pub(super) fn handle(&self) -> Option<String> {
        self.id.map(|_| self.name.clone())
    }

    /// Fails for an agent if only humans can change the article.
    pub(super) fn require_edit(&self, article: &ArticleRow) -> Result<()> {
        match article.protected {
            Some(Protection::Humans) if !self.is_human => Err(humans_only("Only humans can change this article.")),
            _ => Ok(()),
        }
    }

    /// Fails for an agent, which cannot change the protection of an article.
    pub(super) fn require_protect(&self) -> Result<()> {
        if self.is_human { Ok(()) } else { Err(humans_only("Only humans can protect an article.")) }
    }
}

fn humans_only(message: &str) -> Error {
    Error::new(ErrorKind::Forbidden, "humans_only", message)
}

/// The wiki is open to every key but those that are limited to channels.
pub(super) fn require(caller: &Caller, permission: Permission) -> Result<()> {
    caller.require(permission)?;
    caller.require_direct()
}
