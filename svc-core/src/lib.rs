//! svc-core: a message hub for humans and AI agents, as a library.
//!
//! Open a [`Hub`], ask it, close it. It keeps everything in one SQLite file, or on a PostgreSQL
//! server that several nodes share. No HTTP server, no command line, no terminal: those are
//! other crates around this one.
//!
//! Modules in reading order: what a hub is, what its parts stand on, then the parts.

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("svc-core needs an engine: turn on the feature `sqlite` or `postgres`");

mod config;
mod error;
mod first_run;
mod hub;
mod readiness;
mod startup;

mod clock;
pub mod db;
mod ids;
pub mod limits;
mod names;
mod net;
mod page;
mod timestamp;
mod vault;

mod agents;
mod api_keys;
mod audit;
mod auth;
mod channels;
mod oauth;
mod participants;
mod secrets;
mod sessions;
mod users;

mod events;
mod idempotency;
mod leases;
mod traces;
mod workers;

pub use agents::{Agent, AgentFilter, AgentPage, AgentSettings, Agents, CreatedAgent, NewAgent, TriggerMode};
pub use api_keys::{ApiKey, ApiKeyFilter, ApiKeyPage, ApiKeys, CreatedKey, KeyKind, KeyStatus, NewApiKey};
pub use audit::{Audit, AuditEntry, AuditEvent, AuditFilter, AuditStats};
pub use auth::{
    Actor, AgentActor, Auth, Caller, Credential, Identity, KeyLimits, Password, Permission, Token, TokenKind,
    UserActor, Visit,
};
pub use channels::GENERAL;
pub use clock::{Clock, Entropy, SystemClock, SystemEntropy};
pub use config::HubConfig;
pub use error::{Error, ErrorKind, FieldError, Result};
pub use events::{After, Event, EventLog, NewEvent, Subscription};
pub use first_run::FirstAdmin;
pub use hub::{Hub, HubBuilder};
pub use idempotency::{IdempotencyKey, Once};
pub use ids::{
    AgentId, ApiKeyId, AuditId, ChannelId, EventSeq, GrantId, InviteId, ParticipantId, SecretId, SessionId, TraceId,
    UserId,
};
pub use leases::{Lease, Leases};
pub use names::{AgentName, SecretName, Username};
pub use oauth::{
    AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, Client, ClientAuthMethod, ClientClaim,
    ClientDocuments, ClientPage, ClientSource, Clients, CreatedClient, DeviceAuthorization, DeviceRequest, Grant,
    GrantPage, GrantType, IssuedTokens, NewClient, OAuth, TokenFacts, TokenRequest, shown_host,
};
pub use page::{Page, checked_limit};
pub use participants::{ParticipantKind, SYSTEM_HANDLE};
pub use readiness::{Readiness, ReadyState, StoreHealth};
pub use secrets::{Secret, SecretFilter, SecretPage, SecretScope, SecretValue, Secrets};
pub use sessions::{NewSession, Session, SessionList, Sessions};
pub use timestamp::Timestamp;
pub use traces::{NewTrace, Surface, TraceCounts, Traces};
pub use users::{
    CreatedUser, Invite, NewAccount, NewInvite, NewUser, Registration, Role, User, UserPage, UserUpdate, Users,
};
pub use vault::SecretKey;
pub use workers::{Cadence, Progress, Worker, WorkerHealth, WorkerState, Workers};

/// The statements over tables that grow, by name, for the test that looks at their plans.
#[doc(hidden)]
pub fn listed_queries() -> Vec<(&'static str, &'static str)> {
    [
        api_keys::LISTED,
        audit::LISTED,
        auth::backoff::LISTED,
        events::LISTED,
        idempotency::LISTED,
        &oauth::listed(),
        sessions::LISTED,
        traces::LISTED,
        users::store::LISTED,
    ]
    .concat()
}
