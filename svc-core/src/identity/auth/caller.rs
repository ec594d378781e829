//! The caller of a request: its identity, its credential, its origin and its permissions.
//!
//! Invariants: a caller is only created by checking a credential ([`Auth`](super::Auth)) or by the program
//! that embeds the hub ([`Caller::root`]); every service checks the caller's permissions before it acts, so a
//! limit on a key holds on every surface.

use std::net::IpAddr;
use std::sync::Arc;

use serde::Serialize;
use svc_model::api_keys::McpProfile;
use svc_model::auth::{Identity, Permission};
use svc_model::participants::ParticipantKind;
use svc_model::users::Role;

use super::run::CallerRun;
use crate::error::{Error, ErrorKind, Result};
use crate::ids::{AgentId, ApiKeyId, GrantId, ParticipantId, RunId, SessionId, UserId};
use crate::limits;
use crate::store::idempotency::IdempotencyKey;
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// The caller of a request.
#[derive(Debug, Clone)]
pub struct Caller {
    actor: Actor,
    credential: Credential,
    visit: Visit,
    idempotency_key: Option<Arc<str>>,
    mcp_profile: McpProfile,
    pub(super) tools: Option<Arc<[String]>>,
    confirmed_at: Option<Timestamp>,
    pub(super) depth: u32,
    pub(super) run: Option<CallerRun>,
}

/// The identity of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The embedding program or its admin socket: may see and do everything.
    Root,
    /// A human.
    User(UserActor),
    /// An agent, on behalf of its owner.
    Agent(AgentActor),
}

/// A human caller.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UserActor {
    /// The account.
    pub id: UserId,
    /// Its handle.
    pub username: Arc<str>,
    /// The role of the account.
    pub role: Role,
}

/// An agent caller.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentActor {
    /// The agent.
    pub id: AgentId,
    /// Its handle.
    pub name: Arc<str>,
    /// The owner of the agent.
    pub owner: UserId,
    /// The handle of the owner.
    pub owner_name: Arc<str>,
}

/// The credential of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// None: the embedding program or its admin socket.
    Process,
    /// A login session.
    Session(SessionId),
    /// The agent's own key.
    AgentKey(ApiKeyId),
    /// A managed key with its limits.
    ManagedKey(Arc<KeyLimits>),
    /// An access token of an OAuth client.
    OAuth {
        /// The grant of the token.
        grant: GrantId,
        /// The client.
        client_id: Arc<str>,
        /// When the token expires.
        expires_at: Timestamp,
    },
    /// The credential of a run, which ends with it.
    Run(RunId),
}

/// The limits of a managed key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLimits {
    /// The key.
    pub id: ApiKeyId,
    /// Its permissions.
    pub permissions: Vec<Permission>,
    /// The channels that it may use; an empty list means all.
    pub allowed_channels: Vec<String>,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

/// The origin of a request; recorded in traces and audit entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// The surface.
    pub surface: Surface,
    /// The IP address of the client.
    pub remote_ip: Option<IpAddr>,
    /// The id of the request.
    pub request_id: Option<String>,
    /// The `User-Agent` of the client.
    pub user_agent: Option<String>,
}

impl Visit {
    /// A visit through this surface with no further details.
    pub fn through(surface: Surface) -> Self {
        Self { surface, remote_ip: None, request_id: None, user_agent: None }
    }

    /// The `User-Agent` as it is stored: short and printable.
    pub(crate) fn kept_user_agent(&self) -> Option<String> {
        let text = self.user_agent.as_deref()?;
        Some(text.chars().filter(|character| !character.is_control()).take(limits::USER_AGENT_MAX).collect())
    }
}

impl Caller {
    /// The caller of an embedding program or of the admin socket, with all permissions.
    pub fn root() -> Self {
        Self::new(Actor::Root, Credential::Process)
    }

    pub(crate) fn new(actor: Actor, credential: Credential) -> Self {
        let visit = Visit::through(Surface::Hub);
        Self {
            actor,
            credential,
            visit,
            idempotency_key: None,
            mcp_profile: McpProfile::default(),
            tools: None,
            confirmed_at: None,
            depth: 0,
            run: None,
        }
    }

    /// Sets the time at which the human last entered the password.
    pub(crate) fn confirmed(mut self, at: Timestamp) -> Self {
        self.confirmed_at = Some(at);
        self
    }

    /// Sets the tools that the caller sees over MCP.
    pub(crate) fn shown(mut self, mcp_profile: McpProfile) -> Self {
        self.mcp_profile = mcp_profile;
        self
    }

    /// The tools that the caller sees over MCP by default.
    pub fn mcp_profile(&self) -> McpProfile {
        self.mcp_profile
    }

    /// Sets the origin of the request.
    #[must_use]
    pub fn visiting(mut self, visit: Visit) -> Self {
        self.visit = visit;
        self
    }

    /// Makes the next change of the caller idempotent: within 24 hours, a repeated call with the same key and
    /// the same arguments changes nothing and returns the first result. With other arguments it fails with
    /// `idempotency_conflict`. The key is 1 to 255 visible ASCII characters; each operation has its own keys.
    ///
    /// The key applies to messages (send, schedule, claim, finish, renew, release), reactions, read cursors, tasks,
    /// channels (create, update, invite, join, leave), the creation of agents, API keys and webhooks, new secrets of
    /// webhooks, runs (start, retry), goals (create, complete, trees, claims, updates of tasks, proposals) and requests
    /// for secrets. Other changes ignore it.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, scout: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let report = NewMessage::to("ann", "The build is green.");
    /// let sent = hub.messages().send(&scout.once("build-117")?, report).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn once(mut self, key: &str) -> Result<Self> {
        IdempotencyKey::check(key)?;
        self.idempotency_key = Some(key.into());
        Ok(self)
    }

    /// The key of an operation with its request, if the caller has one. `request` is all input that the
    /// result depends on besides the caller.
    pub(crate) fn idempotency(&self, operation: &str, request: &impl Serialize) -> Result<Option<IdempotencyKey>> {
        let key = self.idempotency_key.as_deref();
        key.map(|key| IdempotencyKey::new(self.scope(operation), key, request)).transpose()
    }

    /// The identity of the caller; `None` for [`Actor::Root`].
    pub fn identity(&self) -> Option<Identity> {
        let (handle, kind) = match self.actor() {
            Actor::Root => return None,
            Actor::User(user) => (user.username.to_string(), ParticipantKind::Human),
            Actor::Agent(agent) => (agent.name.to_string(), ParticipantKind::Agent),
        };
        let everything = vec![Permission::Read, Permission::Write, Permission::Admin];
        let as_agent = vec![Permission::Read, Permission::Write];
        let (permissions, allowed_channels, expires_at) = match self.credential() {
            Credential::ManagedKey(limits) => {
                (limits.permissions.clone(), limits.allowed_channels.clone(), limits.expires_at)
            }
            Credential::OAuth { expires_at, .. } => (as_agent, Vec::new(), Some(*expires_at)),
            Credential::AgentKey(_) | Credential::Run(_) => (as_agent, Vec::new(), None),
            Credential::Session(_) | Credential::Process => (everything, Vec::new(), None),
        };
        let owner = self.owner_name().unwrap_or_default().to_owned();
        let mcp_profile = self.mcp_profile();
        Some(Identity { handle, kind, owner, permissions, allowed_channels, expires_at, mcp_profile })
    }

    /// The identity of the caller.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The credential of the caller.
    pub fn credential(&self) -> &Credential {
        &self.credential
    }

    /// The origin of the request.
    pub fn visit(&self) -> &Visit {
        &self.visit
    }

    /// The human on whose behalf the caller acts; `None` for [`Actor::Root`].
    pub fn owner(&self) -> Option<UserId> {
        match &self.actor {
            Actor::Root => None,
            Actor::User(user) => Some(user.id),
            Actor::Agent(agent) => Some(agent.owner),
        }
    }

    /// The handle of that human.
    pub fn owner_name(&self) -> Option<&str> {
        match &self.actor {
            Actor::Root => None,
            Actor::User(user) => Some(&user.username),
            Actor::Agent(agent) => Some(&agent.owner_name),
        }
    }

    /// The participant that acts; `None` for [`Actor::Root`].
    pub fn participant(&self) -> Option<ParticipantId> {
        match &self.actor {
            Actor::Root => None,
            Actor::User(user) => Some(ParticipantId(user.id.0)),
            Actor::Agent(agent) => Some(ParticipantId(agent.id.0)),
        }
    }

    /// Whether the caller is [`Actor::Root`].
    pub fn is_root(&self) -> bool {
        self.actor == Actor::Root
    }

    /// The scope of this caller's idempotency keys.
    fn scope(&self, operation: &str) -> String {
        match &self.actor {
            Actor::Root => format!("root {operation}"),
            Actor::User(user) => format!("user {} {operation}", user.id),
            Actor::Agent(agent) => format!("agent {} {operation}", agent.id),
        }
    }

    /// Fails unless the credential has this permission.
    pub fn require(&self, permission: Permission) -> Result<()> {
        let allowed = match &self.credential {
            Credential::ManagedKey(limits) => limits.permissions.iter().any(|given| *given >= permission),
            _ => true,
        };
        if allowed {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Forbidden,
            "permission_denied",
            format!("This key lacks the permission {permission}: use a key that has it."),
        ))
    }

    /// Fails unless the credential may use this channel.
    pub fn require_channel(&self, channel: &str) -> Result<()> {
        match &self.credential {
            Credential::ManagedKey(limits)
                if !limits.allowed_channels.is_empty()
                    && !limits.allowed_channels.iter().any(|allowed| allowed == channel) =>
            {
                Err(Error::new(
                    ErrorKind::Forbidden,
                    "channel_not_allowed",
                    "This key may only be used in the channels it is limited to.",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Fails unless the caller is a human with the admin permission, or [`Actor::Root`]. A key that is
    /// limited to channels is rejected, because resources that it creates would not be limited.
    pub(crate) fn require_manager(&self) -> Result<()> {
        self.require(Permission::Admin)?;
        if matches!(self.actor, Actor::Agent(_)) {
            return Err(Error::new(
                ErrorKind::Forbidden,
                "owner_required",
                "An agent cannot do this: its owner can, with a login or with a key of their own.",
            ));
        }
        self.require_all_channels()
    }

    /// When the credential expires. Credentials that it creates must not outlive it.
    pub(crate) fn key_end(&self) -> Option<Timestamp> {
        match &self.credential {
            Credential::ManagedKey(limits) => limits.expires_at,
            _ => None,
        }
    }

    /// Fails for a key with an expiry, because an agent's own key has none.
    pub(crate) fn require_lasting(&self) -> Result<()> {
        if self.key_end().is_none() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Forbidden,
            "key_expires",
            "This key expires and cannot create an agent key, which does not: log in, or use a key without an expiry.",
        ))
    }

    /// Whether the credential is a key that is limited to channels.
    pub(crate) fn is_limited_to_channels(&self) -> bool {
        matches!(&self.credential, Credential::ManagedKey(limits) if !limits.allowed_channels.is_empty())
    }

    /// Fails for a session whose human has not entered the password recently. Keys are exempt, because they
    /// have no password.
    pub(crate) fn require_confirmed(&self, now: Timestamp) -> Result<()> {
        let recent = |at: Timestamp| now.since(at) < limits::LOGIN_CONFIRMED;
        if !matches!(self.credential, Credential::Session(_)) || self.confirmed_at.is_some_and(recent) {
            return Ok(());
        }
        let minutes = limits::LOGIN_CONFIRMED.as_secs() / 60;
        Err(Error::new(
            ErrorKind::Forbidden,
            "password_required",
            format!(
                "For this, the session must have confirmed its password in the last {minutes} minutes: send it to POST \
                 /auth/confirm, then retry."
            ),
        ))
    }

    /// Fails unless the credential may use direct messages: a key that is limited to channels may not.
    pub(crate) fn require_direct(&self) -> Result<()> {
        self.require_all_channels()
    }

    /// Fails for a key that is limited to channels.
    fn require_all_channels(&self) -> Result<()> {
        if !self.is_limited_to_channels() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Forbidden,
            "channel_not_allowed",
            "This key is limited to certain channels and cannot do this.",
        ))
    }

    /// Fails unless the caller is [`Actor::Root`].
    pub(crate) fn require_root(&self) -> Result<()> {
        if self.is_root() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Forbidden,
            "admin_socket_only",
            "Only an operator can do this, with svc-admin on the server.",
        ))
    }

    /// Fails unless the caller is an admin with a session or an unlimited key, or [`Actor::Root`].
    pub fn require_admin(&self) -> Result<()> {
        self.require(Permission::Admin)?;
        self.require_all_channels()?;
        match &self.actor {
            Actor::Root => Ok(()),
            Actor::User(user) if user.role == Role::Admin => Ok(()),
            _ => Err(Error::new(ErrorKind::Forbidden, "admin_required", "Only an admin may see or do this.")),
        }
    }

    /// The human and the session; fails for keys.
    pub(crate) fn require_session(&self) -> Result<(&UserActor, SessionId)> {
        match (&self.actor, &self.credential) {
            (Actor::User(user), Credential::Session(session)) => Ok((user, *session)),
            _ => Err(Error::new(ErrorKind::Forbidden, "session_required", "Log in to do this: a key cannot.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyed(permissions: &[Permission], channels: &[&str]) -> Caller {
        let limits = KeyLimits {
            id: ApiKeyId(1),
            permissions: permissions.to_vec(),
            allowed_channels: channels.iter().map(|name| (*name).to_owned()).collect(),
            expires_at: None,
        };
        let user = UserActor { id: UserId(7), username: "ann".into(), role: Role::Admin };
        Caller::new(Actor::User(user), Credential::ManagedKey(Arc::new(limits)))
    }

    #[test]
    fn creating_keys_needs_a_recent_password_or_a_key() {
        let at = Timestamp::from_micros(1_767_225_600_000_000);
        let user = UserActor { id: UserId(7), username: "ann".into(), role: Role::User };
        let login = Caller::new(Actor::User(user), Credential::Session(SessionId(1)));
        assert_eq!(login.require_confirmed(at).unwrap_err().code(), "password_required");
        let login = login.confirmed(at);
        let last = limits::LOGIN_CONFIRMED.checked_sub(std::time::Duration::from_micros(1)).unwrap();
        assert!(login.require_confirmed(at.plus(last)).is_ok());
        assert!(login.require_confirmed(at.plus(limits::LOGIN_CONFIRMED)).is_err());
        assert!(keyed(&[Permission::Admin], &[]).require_confirmed(at).is_ok());
    }

    #[test]
    fn a_permission_includes_the_lesser_ones() {
        for (given, read, write, admin) in [
            (Permission::Read, true, false, false),
            (Permission::Write, true, true, false),
            (Permission::Admin, true, true, true),
        ] {
            let caller = keyed(&[given], &[]);
            assert_eq!(caller.require(Permission::Read).is_ok(), read);
            assert_eq!(caller.require(Permission::Write).is_ok(), write);
            assert_eq!(caller.require(Permission::Admin).is_ok(), admin);
            assert_eq!(caller.require_admin().is_ok(), admin);
            assert_eq!(caller.require_manager().is_ok(), admin);
        }
        assert!(keyed(&[], &[]).require(Permission::Read).is_err());
    }

    #[test]
    fn a_channel_limited_key_cannot_exceed_its_channels() {
        let caller = keyed(&[Permission::Admin], &["general"]);
        assert!(caller.require_channel("general").is_ok());
        assert_eq!(caller.require_channel("ops").unwrap_err().code(), "channel_not_allowed");
        assert!(caller.require_manager().is_err());
        assert!(keyed(&[Permission::Read], &[]).require_channel("ops").is_ok());
    }
}
