//! The author of a scheduled message, as the caller who sends it at its time.

use super::store::AuthorRow;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, AgentActor, Caller, Credential, UserActor, Visit};
use crate::ids::AgentId;
use crate::surface::Surface;

/// The author with the rights of now; an error if the account, the agent or the credential has ended.
pub(super) fn caller_of(row: AuthorRow) -> Result<Caller> {
    if row.ended {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "author_ended",
            "The account or the agent that scheduled this message is no longer active.",
        ));
    }
    if row.credential_ended {
        return Err(Error::new(
            ErrorKind::Forbidden,
            "credential_ended",
            "The key or the connection with which this message was scheduled is no longer valid. Set its time again.",
        ));
    }
    let actor = match row.agent_owner {
        None => Actor::User(UserActor { id: row.owner_id, username: row.handle.into(), role: row.role }),
        Some(owner) => Actor::Agent(AgentActor {
            id: AgentId(row.author_id.0),
            name: row.handle.into(),
            owner,
            owner_name: row.owner_name.into(),
        }),
    };
    let caller = Caller::new(actor, Credential::Process).at_depth(row.depth);
    Ok(caller.visiting(Visit::through(Surface::Worker)))
}
