//! Authentication: from a credential to a caller.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use subtle::ConstantTimeEq;
use svc_macros::boxed_futures;

use super::caller::{Actor, AgentActor, Caller, Credential, KeyLimits, UserActor};
use super::run::CallerRun;
use super::store::{self, FoundAccess, FoundKey, FoundRun};
use super::token::{Token, TokenKind};
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::sessions::{self, FoundSession};
use crate::identity::{api_keys, oauth, participants};
use crate::ids::{AgentId, ApiKeyId, ParticipantId, SessionId, UserId};
use crate::limits;
use crate::store::db::{Db, Json, Tx};
use crate::timestamp::Timestamp;

/// Checks credentials; see [`Hub::auth`](crate::Hub::auth).
#[derive(Clone)]
pub struct Auth {
    db: Db,
    clock: Arc<dyn Clock>,
    /// When each credential was last recorded as used, so that a busy one is not written every time.
    noted: Arc<Mutex<HashMap<Used, Timestamp>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Used {
    /// A key, and the agent that it acts as.
    Key(ApiKeyId, Option<AgentId>),
    Session(SessionId, UserId),
    /// Another credential of an agent.
    Agent(AgentId),
}

/// Maximum number of entries; beyond it, old ones are dropped.
const NOTED_MAX: usize = 10_000;

#[boxed_futures]
impl Auth {
    pub(crate) fn new(db: Db, clock: Arc<dyn Clock>) -> Self {
        Self { db, clock, noted: Arc::default() }
    }

    /// Authenticates a bearer credential: an agent key, a managed key, the credential of a run or an OAuth access
    /// token, whatever its resource. For programs that embed the hub; a server uses [`Auth::bearer_at`].
    pub async fn bearer(&self, text: &str) -> Result<Caller> {
        self.presented(text, None).await
    }

    /// Authenticates a bearer credential at a path of the server, such as `/mcp`: an access token is accepted
    /// only at the resource for which it was issued, and below it.
    pub async fn bearer_at(&self, text: &str, path: &str) -> Result<Caller> {
        self.presented(text, Some(path)).await
    }

    async fn presented(&self, text: &str, path: Option<&str>) -> Result<Caller> {
        let token = Token::parse(text).ok_or_else(unknown)?;
        match token.kind() {
            TokenKind::AgentKey | TokenKind::ManagedKey => self.key(token).await,
            TokenKind::Access => self.access(token, path).await,
            TokenKind::Run => self.run(token).await,
            _ => Err(unknown()),
        }
    }

    /// Authenticates a session token.
    pub async fn session(&self, text: &str) -> Result<Caller> {
        let token = Token::parse_as(TokenKind::Session, text).ok_or_else(no_session)?;
        let found = self.db.read(token.hash(), |tx, hash| Box::pin(sessions::find(tx, hash))).await?;
        let FoundSession { id, seen_at, confirmed_at, user_id, username, role } = found.ok_or_else(no_session)?;
        self.note_use(Used::Session(id, user_id), Some(seen_at));
        let user = UserActor { id: user_id, username: username.into(), role };
        Ok(Caller::new(Actor::User(user), Credential::Session(id)).confirmed(confirmed_at))
    }

    async fn key(&self, token: Token) -> Result<Caller> {
        let kind = token.kind();
        let found = self.checked_key(token).await?;
        self.note_use(Used::Key(found.id, found.agent_id), found.used_at);
        Ok(caller_of(kind, found))
    }

    /// The caller of a key. Inspecting a key does not count as use, so nothing is recorded.
    pub(crate) async fn holder(&self, text: &str) -> Result<Caller> {
        let token = Token::parse(text).ok_or_else(unknown)?;
        let kind = token.kind();
        match kind {
            TokenKind::AgentKey | TokenKind::ManagedKey => Ok(caller_of(kind, self.checked_key(token).await?)),
            _ => Err(unknown()),
        }
    }

    async fn checked_key(&self, token: Token) -> Result<FoundKey> {
        let hash = token.hash();
        let found = self.db.read(token, |tx, token| Box::pin(store::find_key(tx, token.key_id()))).await?;
        let found = found.ok_or_else(unknown)?;
        if !bool::from(found.secret_hash.ct_eq(&hash)) {
            return Err(unknown());
        }
        // From here on the caller has the real key, so the error may say why it does not work.
        self.check(&found)?;
        Ok(found)
    }

    fn check(&self, found: &FoundKey) -> Result<()> {
        if found.revoked_at.is_some() {
            return Err(refused("token_revoked", "This key was revoked: ask its owner for another."));
        }
        if found.expires_at.is_some_and(|end| end <= self.clock.now()) {
            return Err(refused("token_expired", "This key has expired: ask its owner for another."));
        }
        if found.owner_ended || found.agent_deleted_at.is_some() {
            return Err(refused("token_revoked", "The account or the agent of this key is no longer active."));
        }
        Ok(())
    }

    async fn access(&self, token: Token, path: Option<&str>) -> Result<Caller> {
        let found = self.db.read(token.hash(), |tx, hash| Box::pin(store::find_access(tx, hash))).await?;
        let found: FoundAccess = found.ok_or_else(unknown)?;
        if found.ended {
            return Err(refused("token_revoked", "This token was revoked: authorize again."));
        }
        if found.expires_at <= self.clock.now() {
            return Err(refused("token_expired", "This token has expired: refresh it."));
        }
        if path.is_some_and(|path| !oauth::covers(found.resource.as_deref(), path)) {
            let resource = found.resource.unwrap_or_default();
            let message =
                format!("This token was issued for {resource} and is not accepted here: authorize for this resource.");
            return Err(refused("invalid_token", &message));
        }
        self.note_use(Used::Agent(found.agent_id), None);
        let agent = AgentActor {
            id: found.agent_id,
            name: found.agent_name.into(),
            owner: found.owner_id,
            owner_name: found.owner_name.into(),
        };
        let credential = Credential::OAuth {
            grant: found.grant_id,
            client_id: found.client_id.into(),
            expires_at: found.expires_at,
        };
        Ok(Caller::new(Actor::Agent(agent), credential).limited_to_tools(found.tools.map(|Json(tools)| tools)))
    }

    /// Authenticates the credential of a run. It acts as the agent, and ends with the run.
    async fn run(&self, token: Token) -> Result<Caller> {
        let found = self.db.read(token.hash(), |tx, hash| Box::pin(store::find_run(tx, hash))).await?;
        let FoundRun { run_id, depth, running, ended, owner_id, owner_name, agent_id, agent_name, mcp_profile, tools } =
            found.ok_or_else(|| refused("token_revoked", "This run has ended, and its credential with it."))?;
        if !running || ended {
            return Err(refused("token_revoked", "This run has ended, and its credential with it."));
        }
        self.note_use(Used::Agent(agent_id), None);
        let (name, owner_name) = (agent_name.into(), owner_name.into());
        let agent = AgentActor { id: agent_id, name, owner: owner_id, owner_name };
        let caller = Caller::new(Actor::Agent(agent), Credential::Run(run_id)).shown(mcp_profile.unwrap_or_default());
        let caller = caller.limited_to_tools(tools.map(|Json(tools)| tools));
        Ok(caller.in_run(CallerRun { id: run_id, depth }))
    }

    /// Records the use of a credential, at most once per interval and in the background.
    fn note_use(&self, used: Used, before: Option<Timestamp>) {
        let now = self.clock.now();
        let is_due = |last: Timestamp| now.since(last) >= limits::USE_NOTED_EVERY;
        if before.is_some_and(|before| !is_due(before)) {
            return;
        }
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.get(&used).is_some_and(|last| !is_due(*last)) {
            return;
        }
        if noted.len() >= NOTED_MAX {
            noted.retain(|_, last| !is_due(*last));
        }
        noted.insert(used, now);
        drop(noted);
        let db = self.db.clone();
        tokio::spawn(async move {
            let written = db.write(used, |tx, used| Box::pin(note(tx, *used)));
            if let Err(error) = written.await {
                tracing::debug!(target: "svc::auth", error = error.log_line(), "a use was not recorded");
            }
        });
    }
}

/// Records the use of a credential, and that its participant was seen. The key of a person may be in a program: only a
/// login shows that the person is there.
async fn note(tx: &mut Tx, used: Used) -> Result<()> {
    match used {
        Used::Key(id, agent) => {
            api_keys::store::note_use(tx, id).await?;
            match agent {
                Some(agent) => participants::note_seen(tx, ParticipantId(agent.0)).await,
                None => Ok(()),
            }
        }
        Used::Session(id, human) => {
            sessions::note_use(tx, id).await?;
            participants::note_seen(tx, ParticipantId(human.0)).await
        }
        Used::Agent(agent) => participants::note_seen(tx, ParticipantId(agent.0)).await,
    }
}

fn caller_of(kind: TokenKind, found: FoundKey) -> Caller {
    let owner_name: Arc<str> = found.owner_name.into();
    let actor = match (found.agent_id, found.agent_name) {
        (Some(id), Some(name)) => Actor::Agent(AgentActor { id, name: name.into(), owner: found.owner_id, owner_name }),
        _ => Actor::User(UserActor { id: found.owner_id, username: owner_name, role: found.owner_role }),
    };
    let credential = match kind {
        TokenKind::AgentKey => Credential::AgentKey(found.id),
        _ => Credential::ManagedKey(Arc::new(KeyLimits {
            id: found.id,
            permissions: found.permissions.0,
            allowed_channels: found.allowed_channels.0,
            expires_at: found.expires_at,
        })),
    };
    let tools = found.tools.map(|Json(tools)| tools);
    Caller::new(actor, credential).shown(found.mcp_profile).limited_to_tools(tools)
}

fn refused(code: &'static str, message: &str) -> Error {
    Error::new(ErrorKind::Unauthenticated, code, message)
}

fn unknown() -> Error {
    refused("invalid_token", "Unknown credential: check that it was copied completely.")
}

fn no_session() -> Error {
    refused("no_session", "You are not logged in, or the login has ended. Log in again.")
}
